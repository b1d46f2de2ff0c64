// What a tool policy says to a tool request: its size, the directories, then the policy's mode. Pure but for the file
// system's links.
import { otherwiseOf, type ToolPolicy } from '../../../schemas/tools/policy.ts'
import { addressFault } from './address-faults.ts'
import { boundaryOf } from './boundary.ts'
import { denyMessages } from './deny-messages.ts'
import { listsWhole, namedBy, namingEntry, readsInput, uncoveredBy, type Call } from './entry-lists.ts'
import type { Finding } from './finding.ts'
import { PathLookups, TooManyLookups } from './real-path.ts'
import type { Place, RequestPlace } from './workplace.ts'

export { denyMessages, noDecision } from './deny-messages.ts'

export type Decision = 'allow' | 'deny' | 'ask'

export interface Judgement {
  /** `ask` = hold the request for a person. */
  decision: Decision
  /** What the agent is told when it is denied. */
  message: string
  /** Why the entries did not let it pass; null if they did, or if the mode alone decides. */
  finding: Finding | null
}

/** A tool's input of more bytes is refused without being judged. */
export const LARGEST_INPUT = 64 * 1024

/** An unknown mode denies. */
export function judge(policy: ToolPolicy, tool: string, input: unknown, place: Place): Judgement {
  const size = Buffer.byteLength(JSON.stringify(input ?? {}))
  if (size > LARGEST_INPUT) return refusal(denyMessages.tooLarge(tool, size, LARGEST_INPUT))
  const members = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
  try {
    return judgeMembers(policy, tool, members, { ...place, lookups: new PathLookups() })
  } catch (error) {
    if (error instanceof TooManyLookups) return refusal(denyMessages.tooManyPaths(tool))
    throw error
  }
}

const refusal = (message: string): Judgement => ({ decision: 'deny', message, finding: null })

function judgeMembers(
  policy: ToolPolicy,
  tool: string,
  members: Record<string, unknown>,
  place: RequestPlace,
): Judgement {
  const call = { tool, input: members, place }
  const boundary = boundaryOf(call)
  if (boundary.refusal !== null) return refusal(boundary.refusal)
  const { decision, finding } = withoutDoubt(judgeMode(policy, call), policy, boundary.unclear)
  const fault = addressFaultOf(policy, call)
  if (fault !== null) return refusal(denyMessages.address(tool, fault))
  return { decision, message: denyMessages.policy(tool, policy.mode, finding), finding }
}

type Answer = Pick<Judgement, 'decision' | 'finding'>

/** Without a sandbox, a command that may reach any path is not allowed without a person, whatever the policy. */
function withoutDoubt(answer: Answer, policy: ToolPolicy, doubt: Finding | null): Answer {
  if (doubt === null || answer.decision !== 'allow') return answer
  return { decision: policy.mode === 'allow_all' ? 'ask' : otherwiseOf(policy), finding: doubt }
}

function judgeMode(policy: ToolPolicy, call: Call): Answer {
  switch (policy.mode) {
    case 'allow_all':
      return { decision: 'allow', finding: null }
    case 'allow_list':
    case 'deny_list':
      return judgeLists(policy, call)
    case 'require_approval':
      return { decision: 'ask', finding: null }
    default:
      return { decision: 'deny', finding: null }
  }
}

/** Deny before ask before allow. */
function judgeLists(policy: ToolPolicy, call: Call): Answer {
  const { mode, tools = [], ask = [], deny = [] } = policy
  const denied = mode === 'deny_list' ? namedBy(tools, call, { isWide: true }) : namedBy(deny, call, { isWide: false })
  if (denied?.kind === 'refused') return { decision: 'deny', finding: denied }
  const asked = namedBy(ask, call, { isWide: false })
  if (asked?.kind === 'refused') return { decision: 'ask', finding: asked }
  const open = undecided(policy, call, denied ?? asked)
  return open === null ? { decision: 'allow', finding: null } : { decision: otherwiseOf(policy), finding: open }
}

/**
 * Null if the policy allows a call that no other entry names. An entry with a pattern says what runs, so what stays
 * unclear about the other lists does not matter.
 */
function undecided({ mode, tools = [] }: ToolPolicy, call: Call, unclear: Finding | null): Finding | null {
  if (mode === 'deny_list' || listsWhole(tools, call.tool)) return unclear
  return uncoveredBy(tools, call)
}

/** The entry of `ask` that names the call; null if there is none. */
export function askingEntry({ ask = [] }: ToolPolicy, tool: string, input: unknown, place: Place): string | null {
  const members = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
  try {
    return namingEntry(ask, { tool, input: members, place: { ...place, lookups: new PathLookups() } })
  } catch (error) {
    if (error instanceof TooManyLookups) return null
    throw error
  }
}

/** Null also if the entries do not depend on the address. */
function addressFaultOf({ mode, tools = [], ask = [], deny = [] }: ToolPolicy, { tool, input }: Call): string | null {
  if (tool !== 'WebFetch' || (mode !== 'allow_list' && mode !== 'deny_list')) return null
  return [tools, ask, deny].some((list) => readsInput(list, tool)) ? addressFault(input.url) : null
}

/**
 * The decision alone.
 * @testing
 */
export function decide(policy: ToolPolicy, tool: string, input: unknown, place: Place): Decision {
  return judge(policy, tool, input, place).decision
}
