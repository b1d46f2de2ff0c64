import type { AgentRow } from '../record/agent-store.ts'
import type { Judging } from './world.ts'
import { placeOf } from './agent-workplace.ts'
import { policiesFor } from '../session/guard.ts'
import { judge, type Judgement } from '../policy/judge.ts'

export interface Verdict extends Judgement {
  mode: string
}

const STRICTEST_FIRST = ['deny', 'ask', 'allow'] as const

/** By the strictest policy in force. */
export function verdictOn(
  { sessions, config, desired }: Judging,
  agent: AgentRow,
  tool: string,
  input: unknown,
): Verdict {
  const place = { ...placeOf(config, agent), desired: agent.spec.may.includes('source') ? [] : desired.places() }
  const verdicts = policiesFor(sessions.find(agent.id)?.prompt ?? null, agent.spec).map((policy) => ({
    ...judge(policy, tool, input, place),
    mode: policy.mode,
  }))
  const strictest = STRICTEST_FIRST.map((decision) => verdicts.find((verdict) => verdict.decision === decision))
  return strictest.find((verdict) => verdict !== undefined)!
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
