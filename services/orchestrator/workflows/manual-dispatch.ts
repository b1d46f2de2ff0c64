// Giving a workflow's agent a task by hand: now, or not at all.
import type { Actor } from '../../../platform/actor.ts'
import { write } from '../../../platform/database.ts'
import { conflict, invalid, unavailable } from '../../../platform/problem.ts'
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import type { AgentRow } from '../record/agent-store.ts'
import { costReason } from '../record/usage.ts'
import { refuseWhileDraining } from '../dispatch/draining.ts'
import type { ServiceParts } from '../parts.ts'
import { countQueued } from '../record/prompt-store.ts'
import { deliver, wake } from '../dispatch/prompt-sender.ts'
import { holdReason } from '../session/guard.ts'
import { recordTasks } from './task-acceptance.ts'
import { announceDispatch } from '../record/dispatch-store.ts'
import type { WorkflowRow } from '../record/tables.ts'
import { taskPolicy } from '../dispatch/task-policy.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'
import { findTrigger } from './triggers/index.ts'

/** 400 disabled, 404 unknown, 409 agent busy, 503 agent not connected. */
export async function giveTask(
  service: ServiceParts,
  workflowId: string,
  task: TriggeredTask,
  by: Actor,
): Promise<DispatchRecord> {
  refuseWhileDraining(service)
  const asked = await enabled(service, workflowId)
  await connected(service, asked)
  const session = service.sessions.of(asked.agent_id)
  return session.frames.call(async () => {
    const workflow = await enabled(service, workflowId)
    const agent = await checkFree(service, workflow)
    // By hand, the task is on record as pending before it goes out.
    const waits = findTrigger(workflow.trigger_config.type, service.triggers)?.fires === 'by-hand'
    const recorded = await write(service.db, (transaction) =>
      recordTasks(service, transaction, [{ workflow, task }], waits ? 'pending' : 'dispatched'),
    )
    const { dispatch, prompt } = recorded[0]!
    service.log.info(
      { agent_id: agent.id, workflow_id: workflowId, dispatch_id: dispatch.id, ...requestOf(by) },
      'workflow triggered',
    )
    announceDispatch(service, dispatch)
    if (waits) wake(service, session)
    else await deliver(service, session, agent, prompt)
    return service.tables.dispatches.record(dispatch)
  })
}

/** The agent, when it can take a task of the workflow now; 409 or 503 with the reason when it cannot. */
export async function checkFree(service: ServiceParts, workflow: WorkflowRow): Promise<AgentRow> {
  const agent = await connected(service, workflow)
  await idle(service, agent)
  enforceable(service, agent, workflow)
  return agent
}

function requestOf({ actor, requestId }: Actor): { actor: string; request_id: string } {
  return { actor, request_id: requestId }
}

async function enabled(service: ServiceParts, id: string): Promise<WorkflowRow> {
  const workflow = await service.tables.workflows.get(id)
  if (!workflow.enabled)
    throw invalid(`workflow ${workflow.name} is disabled: enable it first`, undefined, 'workflow-disabled')
  return workflow
}

async function connected(
  service: ServiceParts,
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
async function idle(service: ServiceParts, agent: AgentRow): Promise<void> {
  const session = service.sessions.of(agent.id)
  if (session.busy || !session.synced || (await countQueued(service, agent.id)) > 0)
    throw conflict(`agent ${agent.name} is busy with another task: try again when it is idle`, 'agent-busy')
  const reason = await costReason(service, agent)
  if (reason) throw conflict(`agent ${agent.name} takes no more prompts: ${reason}`, 'budget-spent')
}

/** A task whose policy the agent program may not obey is refused, not held. */
function enforceable(service: ServiceParts, agent: AgentRow, workflow: WorkflowRow): void {
  const reason = holdReason(
    service.sessions.of(agent.id).capabilities,
    agent.spec,
    taskPolicy(workflow) ?? agent.spec.tool_policy,
  )
  if (reason) throw conflict(`agent ${agent.name} cannot take the task: ${reason}`, 'policy-unenforceable')
}
