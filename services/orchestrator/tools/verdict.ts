import type { AgentRow } from '../record/agent-store.ts'
import type { Judging } from './world.ts'
import { placeOf } from './agent-workplace.ts'
import { policiesFor } from '../session/guard.ts'
import { judge, type Judgement } from '../policy/judge.ts'

export interface Verdict extends Judgement {
  mode: string
}

const STRICTEST_FIRST = ['deny', 'ask', 'allow'] as const

/** By the strictest policy in force. Texts are masked; the decision is not. */
export function verdictOn(judging: Judging, agent: AgentRow, tool: string, input: unknown): Verdict {
  const { sessions, config, secrets, desired } = judging
  const place = { ...placeOf(config, agent), desired: agent.spec.may.includes('source') ? [] : desired.places() }
  const verdicts = policiesFor(sessions.find(agent.id)?.prompt ?? null, agent.spec).map((policy) => ({
    ...judge(policy, tool, input, place),
    mode: policy.mode,
  }))
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
