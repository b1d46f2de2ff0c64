import { isDeepStrictEqual } from 'node:util'
import type { Approval } from '../../../schemas/tools/approval.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'

export type Input = Record<string, unknown>

export interface Ask {
  requestId: string
  tool: string
  input: Input
}

/** `context` increases when decisions become void: clear, terminate, restart, new conversation. */
export interface Situation {
  policy: ToolPolicy
  launch: number
  context: number
}

export interface Grant extends Ask {
  approvalId: string
  launch: number
  context: number
  scope: 'once' | 'session'
  runs: Input
  /** Request of another launch that used this grant. */
  usedBy: string | null
}

export const POLICIES: readonly ToolPolicy[] = [
  { mode: 'require_approval' },
  { mode: 'allow_all' },
  { mode: 'deny_all' },
  { mode: 'deny_list', tools: ['Bash'] },
  { mode: 'deny_list', tools: ['Bash(rm*)'] },
  { mode: 'allow_list', tools: ['Write'] },
]

/** Evaluates a policy independently of the code under test. */
export function verdictOf({ mode, tools = [] }: ToolPolicy, tool: string, input: Input): 'allow' | 'deny' | 'ask' {
  if (mode === 'require_approval') return 'ask'
  if (mode === 'allow_all' || mode === 'deny_all') return mode === 'allow_all' ? 'allow' : 'deny'
  const command = typeof input.command === 'string' ? input.command : ''
  const listed = tools.includes(tool) || (tool === 'Bash' && tools.includes('Bash(rm*)') && command.startsWith('rm'))
  return listed === (mode === 'allow_list') ? 'allow' : 'deny'
}

/** Returns why `ask` may run with input `runs`, or null. */
export function justification(
  ask: Ask,
  runs: Input,
  situations: readonly Situation[],
  grants: readonly Grant[],
): 'policy' | Grant | null {
  for (const situation of situations) {
    const forbidden = [ask.input, runs].some((input) => verdictOf(situation.policy, ask.tool, input) === 'deny')
    if (forbidden) continue
    if (verdictOf(situation.policy, ask.tool, ask.input) === 'allow' && same(runs, ask.input)) return 'policy'
    const found = grants.find((grant) => covers(grant, ask, runs, situation))
    if (found) return found
  }
  return null
}

function covers(grant: Grant, ask: Ask, runs: Input, { launch, context }: Situation): boolean {
  if (grant.tool !== ask.tool || grant.context !== context) return false
  if (grant.scope === 'session' && same(runs, ask.input)) return true
  if (!same(grant.input, ask.input) || !same(grant.runs, runs)) return false
  if (grant.launch === launch) return grant.requestId === ask.requestId
  // A grant of an earlier launch of the same conversation counts once.
  const use = `${launch} ${ask.requestId}`
  return grant.launch < launch && (grant.usedBy === null || grant.usedBy === use)
}

const same = (one: unknown, other: unknown) => isDeepStrictEqual(one, other)

export function isFor({ request_id, tool_name, tool_input }: Approval, { requestId, tool, input }: Ask): boolean {
  return request_id === requestId && tool_name === tool && same(tool_input, input)
}

export const refused = (call: Promise<unknown>): Promise<string | null> =>
  call.then(
    () => null,
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  )
