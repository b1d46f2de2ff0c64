// What a tool policy says to a tool request. Pure.
import type { ToolPolicy } from '../../../schemas/tool-policy.ts'
import { entryCovers, type Place } from './pattern.ts'

export type Decision = 'allow' | 'deny' | 'ask'

/** `ask` = hold the request for a person. An unknown mode denies. */
export function decide(policy: ToolPolicy, tool: string, input: unknown, place: Place): Decision {
  const listed = (reading: 'allow' | 'deny') =>
    (policy.tools ?? []).some((entry) => entryCovers(entry, tool, input, reading, place))
  switch (policy.mode) {
    case 'allow_all':
      return 'allow'
    case 'allow_list':
      return listed('allow') ? 'allow' : 'deny'
    case 'deny_list':
      return listed('deny') ? 'deny' : 'allow'
    case 'require_approval':
      return 'ask'
    default:
      return 'deny'
  }
}

export const denyMessages = {
  policy: (tool: string, mode: string) => `Tool '${tool}' is not allowed by policy '${mode}'`,
  person: (tool: string, actor: string, reason: string | null) =>
    `Tool '${tool}' denied by ${actor}${reason ? `: ${reason}` : ''}`,
  timeout: (tool: string, seconds: number) => `Tool '${tool}' denied: ${noDecision(seconds)}`,
}

/** Why an approval timed out, in words. */
export function noDecision(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return `no human decision came within ${count} ${unit}${count === 1 ? '' : 's'}`
}
