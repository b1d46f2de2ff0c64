import type { Command } from 'commander'

export interface ChoiceOptions {
  prune?: boolean
  strict?: boolean
  keepDrift?: boolean
  pruneOverride?: string
  confirm?: string
}

/** `path` is the help of --prune. */
export function withChoices(
  command: Command,
  path = 'Delete resources that an earlier apply of this path created and that it no longer declares',
) {
  return withConfirm(command)
    .option('--prune', path)
    .option('--strict', 'Treat warnings as errors')
    .option('--keep-drift', 'Keep changes and deletions made on the live system instead of reverting them')
}

export const withPruneOverride = (command: Command) =>
  command.option('--prune-override <hash>', 'Approve the deletions held back by the prune guard with this hash')

export const withConfirm = (command: Command) =>
  command.option('--confirm <hash>', 'Confirm the steps held back by plan policies with this hash')

/** Returns the request fields of the options that were set. */
export function choicesOf({ prune, strict, keepDrift, pruneOverride, confirm }: ChoiceOptions) {
  return {
    ...(prune ? { prune: true } : {}),
    ...(strict ? { strict: true } : {}),
    ...(keepDrift ? { keep_drift: true } : {}),
    ...(pruneOverride === undefined ? {} : { prune_override: pruneOverride }),
    ...(confirm === undefined ? {} : { confirm }),
  }
}
