import type { AgentRow } from '../record/agent-store.ts'
import type { Judging } from './world.ts'
import { placeOf } from './agent-workplace.ts'
import { judge, type Judgement } from '../policy/judge.ts'

export interface Verdict extends Judgement {
  mode: string
}

/** The current prompt's policy overrides the agent's. */
export function verdictOn({ sessions, config }: Judging, agent: AgentRow, tool: string, input: unknown): Verdict {
  const policy = sessions.find(agent.id)?.prompt?.policy ?? agent.spec.tool_policy
  return { ...judge(policy, tool, input, placeOf(config.home, agent)), mode: policy.mode }
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
