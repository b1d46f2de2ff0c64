// What a person may choose of a plan or an apply: the options that those commands share.
import type { Command } from 'commander'

export interface ChoiceOptions {
  prune?: boolean
  strict?: boolean
  keepDrift?: boolean
  pruneOverride?: string
  confirm?: string
}

/** `path` says what the option to prune is about. */
export function withChoices(
  command: Command,
  path = 'delete what an earlier apply of this path made and it names no more',
) {
  return withConfirm(command)
    .option('--prune', path)
    .option('--strict', 'count warnings as errors')
    .option('--keep-drift', 'leave what was changed or deleted on the live system; else it is put back')
}

/** Passes the guard of deletions. */
export const withPruneOverride = (command: Command) =>
  command.option('--prune-override <hash>', 'make the deletions that the guard with this hash held back')

export const withConfirm = (command: Command) =>
  command.option('--confirm <hash>', 'make the steps that the policies of the source want confirmed, by their hash')

/** As members of a request; what was not chosen is left out. */
export function choicesOf({ prune, strict, keepDrift, pruneOverride, confirm }: ChoiceOptions) {
  return {
    ...(prune ? { prune: true } : {}),
    ...(strict ? { strict: true } : {}),
    ...(keepDrift ? { keep_drift: true } : {}),
    ...(pruneOverride === undefined ? {} : { prune_override: pruneOverride }),
    ...(confirm === undefined ? {} : { confirm }),
  }
}
