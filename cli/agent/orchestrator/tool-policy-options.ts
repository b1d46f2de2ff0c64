import { type Command, Option } from 'commander'
import { misuse } from '../../failure.ts'

interface PolicyOptions {
  policy?: string
  tools?: string[]
  [other: string]: unknown
}

export function withPolicy(command: Command, modes: readonly string[]): Command {
  return command
    .addOption(new Option('--policy <mode>', 'Tool policy').choices(modes))
    .option('--tools <tool...>', 'Tools of an allow_list or deny_list, such as Read or "Bash(git log *)"')
}

/** Returns undefined if no policy option is given. Throws if --tools has no mode. */
export function policyOf({ policy, tools }: PolicyOptions): { mode: string; tools?: string[] } | undefined {
  if (policy !== undefined) return { mode: policy, ...(tools === undefined ? {} : { tools }) }
  if (tools !== undefined) throw misuse('--tools needs a list mode', 'add --policy allow_list or --policy deny_list')
  return undefined
}
