import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { Judging } from './world.ts'
import { placeOf } from './agent-workplace.ts'
import { policiesFor } from '../session/guard.ts'
import { judge, type Judgement } from '../policy/judge.ts'

export interface Verdict extends Judgement {
  mode: string
  /** The strictest; null if a lock denies the call. */
  policy: ToolPolicy | null
}

const STRICTEST_FIRST = ['deny', 'ask', 'allow'] as const

/** By the strictest policy in force. Texts are masked; the decision is not. */
export function verdictOn(judging: Judging, agent: AgentRow, tool: string, input: unknown): Verdict {
  const policies = policiesFor(judging.sessions.find(agent.id)?.prompt ?? null, agent.spec)
  return verdictBy(policies, judging, agent, { tool, input })
}

/** By the strictest of `policies`, of which there is at least one. */
export function verdictBy(
  policies: readonly ToolPolicy[],
  { config, secrets, desired }: Omit<Judging, 'sessions'>,
  agent: AgentRow,
  { tool, input }: { tool: string; input: unknown },
): Verdict {
  const place = { ...placeOf(config, agent), desired: agent.spec.may.includes('source') ? [] : desired.places() }
  const verdicts = policies.map((policy) => ({ ...judge(policy, tool, input, place), mode: policy.mode, policy }))
  const strictest = STRICTEST_FIRST.map((decision) => verdicts.find((verdict) => verdict.decision === decision))
  const { message, finding, ...verdict } = strictest.find((each) => each !== undefined)!
  const masked = (text: string) => secrets.maskCut(agent, text)
  return {
    ...verdict,
    message: masked(message),
    finding: finding && { ...finding, reason: masked(finding.reason), part: masked(finding.part) },
  }
}

export function denialReason(
  judging: Judging,
  agent: AgentRow,
  tool: string,
  inputs: readonly unknown[],
): string | null {
  const verdicts = inputs.map((input) => verdictOn(judging, agent, tool, input))
  return verdicts.find(({ decision }) => decision === 'deny')?.message ?? null
}
