// What the policy in force says to a tool of an agent at this moment.
import type { AgentRow } from '../agents/store.ts'
import type { ServiceParts } from '../parts.ts'
import { decide, type Decision } from './policy.ts'

export interface Verdict {
  decision: Decision
  mode: string
}

/** That of the prompt in hand holds, else the agent's own. */
export function verdictOn(service: ServiceParts, agent: AgentRow, tool: string, input: unknown): Verdict {
  const policy = service.sessions.find(agent.id)?.prompt?.policy ?? agent.spec.tool_policy
  const place = { workingDir: agent.launched?.working_dir ?? agent.spec.working_dir, home: service.config.home }
  return { decision: decide(policy, tool, input, place), mode: policy.mode }
}

/** The mode that forbids the tool with one of these inputs; null when none is forbidden. */
export function forbiddingMode(
  service: ServiceParts,
  agent: AgentRow,
  tool: string,
  inputs: readonly unknown[],
): string | null {
  const verdicts = inputs.map((input) => verdictOn(service, agent, tool, input))
  return verdicts.find(({ decision }) => decision === 'deny')?.mode ?? null
}
