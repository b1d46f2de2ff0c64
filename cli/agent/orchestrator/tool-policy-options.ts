// Options that say a tool policy, where an agent or a workflow takes one.
import { type Command, Option } from 'commander'
import { misuse } from '../../failure.ts'

interface PolicyOptions {
  policy?: string
  tools?: string[]
  [other: string]: unknown
}

export function withPolicy(command: Command, modes: readonly string[]): Command {
  return command
    .addOption(new Option('--policy <mode>', 'tool policy').choices(modes))
    .option('--tools <tool...>', 'tools of an allow_list or deny_list, such as Read or "Bash(git log *)"')
}

/** The policy the options say, or undefined when they say none. */
export function policyOf({ policy, tools }: PolicyOptions): { mode: string; tools?: string[] } | undefined {
  if (policy !== undefined) return { mode: policy, ...(tools === undefined ? {} : { tools }) }
  if (tools !== undefined) throw misuse('--tools needs a list mode', 'add --policy allow_list or --policy deny_list')
  return undefined
}
