import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'
import type { StateName } from '../../../parts/states/states.ts'

export interface PolicyPart {
  state: StateName
  title: string
  /** What becomes of such a call. */
  means: string
  entries: readonly string[]
}

const part = (state: StateName, title: string, means: string, entries: readonly string[] = []): PolicyPart => ({
  state,
  title,
  means,
  entries,
})

const REFUSED = 'refused, the agent is told why'
const ASKED = 'a person decides'

/** The parts of a policy in the order in which they decide. */
export function policyParts({ mode, tools = [], ask = [], deny = [], otherwise }: ToolPolicy): PolicyPart[] {
  switch (mode) {
    case 'allow_all':
      return [part('approved', 'Allow all', 'no call needs a person')]
    case 'deny_all':
      return [part('denied', 'Deny all', REFUSED)]
    case 'require_approval':
      return [part('held', 'Ask for all', ASKED)]
    case 'allow_list':
      return [
        ...(deny.length > 0 ? [part('denied', 'Deny', REFUSED, deny)] : []),
        ...(ask.length > 0 ? [part('held', 'Ask', ASKED, ask)] : []),
        part('approved', 'Allow', 'at once', tools),
        otherwise === 'ask' ? part('held', 'Otherwise: ask', ASKED) : part('denied', 'Otherwise: deny', REFUSED),
      ]
    case 'deny_list':
      return [
        part('denied', 'Deny', REFUSED, tools),
        ...(ask.length > 0 ? [part('held', 'Ask', ASKED, ask)] : []),
        otherwise === 'deny'
          ? part('denied', 'Undeterminable: deny', REFUSED)
          : part('held', 'Undeterminable: ask', ASKED),
        part('approved', 'Otherwise: allow', 'at once'),
      ]
  }
}
