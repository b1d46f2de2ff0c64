import { conflict, unavailable } from '../../../platform/core/problem.ts'
import type { ProblemCode } from '../../../schemas/problem.ts'
import { countQueued } from '../record/prompt-store.ts'
import type { AgentRow, WorkflowRow } from '../record/tables.ts'
import { costReason } from '../record/usage.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { holdReason } from '../session/guard.ts'
import type { Querying, RecordWorld } from '../record/world.ts'
import type { Sessions } from '../session/sessions.ts'
import { taskPolicy } from './task-records.ts'

/** Throws 409 or 503 if the agent cannot accept a task of the workflow now. */
export async function checkFree(record: RecordWorld, sessions: Sessions, workflow: WorkflowRow): Promise<AgentRow> {
  const agent = await checkConnected(record, sessions, workflow)
  const session = sessions.of(agent.id)
  await checkIdle(record, session, agent)
  checkEnforceable(session, agent, workflow)
  return agent
}

/** Throws 503 if the agent is not connected or accepts no prompts. */
export async function checkConnected(
  { agents }: Pick<RecordWorld, 'agents'>,
  sessions: Sessions,
  { name, agent_id: agentId }: Pick<WorkflowRow, 'name' | 'agent_id'>,
): Promise<AgentRow> {
  const agent = await agents.find(agentId)
  const refusal = (reason: string, code: ProblemCode) =>
    unavailable(`agent ${agent?.name ?? agentId} of workflow ${name} ${reason}`, code)
  if (!agent) throw refusal('does not exist: give the workflow another agent', 'agent-missing')
  if (agent.spec.interactive)
    throw refusal('is interactive and accepts no prompts: give the workflow another agent', 'agent-interactive')
  if (agent.status !== 'running' || !sessions.find(agentId)?.connected)
    throw refusal('is not connected: wait until it is, or restart it', 'agent-not-connected')
  return agent
}

async function checkIdle(record: Querying, session: AgentSession, agent: AgentRow): Promise<void> {
  if (session.busy || !session.synced || (await countQueued(record, agent.id)) > 0)
    throw conflict(`agent ${agent.name} is busy with another task: try again when it is idle`, 'agent-busy')
  const reason = await costReason(record, agent)
  if (reason) throw conflict(`agent ${agent.name} no longer accepts prompts: ${reason}`, 'budget-spent')
}

function checkEnforceable(session: AgentSession, agent: AgentRow, workflow: WorkflowRow): void {
  const reason = holdReason(session.capabilities, agent.spec, taskPolicy(workflow) ?? agent.spec.tool_policy)
  if (reason) throw conflict(`agent ${agent.name} cannot take the task: ${reason}`, 'policy-unenforceable')
}
