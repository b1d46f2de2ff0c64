// What the policy in force says to a tool of an agent at this moment.
import type { AgentRow } from '../record/agent-store.ts'
import type { Judging } from './world.ts'
import { placeOf } from './agent-workplace.ts'
import { judge, type Judgement } from '../policy/judge.ts'

export interface Verdict extends Judgement {
  mode: string
}

/** That of the prompt in hand holds, else the agent's own. */
export function verdictOn({ sessions, config }: Judging, agent: AgentRow, tool: string, input: unknown): Verdict {
  const policy = sessions.find(agent.id)?.prompt?.policy ?? agent.spec.tool_policy
  return { ...judge(policy, tool, input, placeOf(config.home, agent)), mode: policy.mode }
}

/** Why the tool is forbidden with one of these inputs, in words; null when it is with none. */
export function whyForbidden(
  judging: Judging,
  agent: AgentRow,
  tool: string,
  inputs: readonly unknown[],
): string | null {
  const verdicts = inputs.map((input) => verdictOn(judging, agent, tool, input))
  return verdicts.find(({ decision }) => decision === 'deny')?.message ?? null
}
