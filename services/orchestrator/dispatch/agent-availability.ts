// Whether the agent of a workflow can take a task now.
import { conflict, unavailable } from '../../../platform/core/problem.ts'
import type { DispatchWorld } from './world.ts'
import { countQueued } from '../record/prompt-store.ts'
import type { AgentRow, WorkflowRow } from '../record/tables.ts'
import { costReason } from '../record/usage.ts'
import { holdReason } from '../session/guard.ts'
import { taskPolicy } from './task-policy.ts'

/** The agent, when it can take a task of the workflow now; 409 or 503 with the reason when it cannot. */
export async function checkFree(service: DispatchWorld, workflow: WorkflowRow): Promise<AgentRow> {
  const agent = await connected(service, workflow)
  await idle(service, agent)
  enforceable(service, agent, workflow)
  return agent
}

/** The agent, when it is connected and takes prompts; 503 with the reason when not. */
export async function connected(
  service: DispatchWorld,
  { name, agent_id: agentId }: Pick<WorkflowRow, 'name' | 'agent_id'>,
): Promise<AgentRow> {
  const agent = await service.agents.find(agentId)
  if (!agent)
    throw unavailable(
      `agent ${agentId} of workflow ${name} does not exist: give the workflow another agent`,
      undefined,
      'agent-missing',
    )
  if (agent.spec.interactive)
    throw unavailable(
      `agent ${agent.name} of workflow ${name} is interactive and takes no prompts: give the workflow another agent`,
      undefined,
      'agent-interactive',
    )
  if (agent.status !== 'running' || !service.sessions.find(agentId)?.connected)
    throw unavailable(
      `agent ${agent.name} of workflow ${name} is not connected: wait until it is, or restart it`,
      undefined,
      'agent-not-connected',
    )
  return agent
}

/** One task at a time per agent, over all its workflows and messages. */
async function idle(service: DispatchWorld, agent: AgentRow): Promise<void> {
  const session = service.sessions.of(agent.id)
  if (session.busy || !session.synced || (await countQueued(service, agent.id)) > 0)
    throw conflict(`agent ${agent.name} is busy with another task: try again when it is idle`, 'agent-busy')
  const reason = await costReason(service, agent)
  if (reason) throw conflict(`agent ${agent.name} takes no more prompts: ${reason}`, 'budget-spent')
}

/** A task whose policy the agent program may not obey is refused, not held. */
function enforceable(service: DispatchWorld, agent: AgentRow, workflow: WorkflowRow): void {
  const reason = holdReason(
    service.sessions.of(agent.id).capabilities,
    agent.spec,
    taskPolicy(workflow) ?? agent.spec.tool_policy,
  )
  if (reason) throw conflict(`agent ${agent.name} cannot take the task: ${reason}`, 'policy-unenforceable')
}
