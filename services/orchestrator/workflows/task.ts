// Giving a task to a workflow's agent: it becomes a dispatch on record, then a prompt.
import type { Actor } from '../../../platform/actor.ts'
import { write } from '../../../platform/database.ts'
import { conflict, invalid, unavailable } from '../../../platform/problem.ts'
import { renderTemplate } from '../../../schemas/workflow/template.ts'
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import type { AgentRow } from '../agents/store.ts'
import { costReason } from '../agents/usage.ts'
import { refuseWhileDraining } from '../draining.ts'
import type { ServiceParts } from '../parts.ts'
import { addPrompt, countQueued } from '../session/prompt-store.ts'
import type { Prompt } from '../tables.ts'
import { deliver, wake } from '../session/prompts.ts'
import { holdReason } from '../tools/guard.ts'
import { addDispatch, announceDispatch } from './dispatches.ts'
import type { WorkflowRow } from '../tables.ts'
import { taskPolicy } from './task-policy.ts'
import type { TriggeredTask } from './triggers/contract.ts'
import { findTrigger } from './triggers/index.ts'

/** 400 disabled, 404 unknown, 409 agent busy, 503 agent not connected. */
export async function giveTask(
  service: ServiceParts,
  workflowId: string,
  task: TriggeredTask,
  by: Actor,
): Promise<DispatchRecord> {
  refuseWhileDraining(service)
  const agentId = (await enabled(service, workflowId)).agent_id
  await connected(service, agentId)
  const session = service.sessions.of(agentId)
  return session.frames.call(async () => {
    const workflow = await enabled(service, workflowId)
    const agent = await connected(service, workflow.agent_id)
    await idle(service, agent)
    enforceable(service, agent, workflow)
    // By hand, the task is on record as pending before it goes out.
    const waits = findTrigger(workflow.trigger_config.type, service.triggers)?.fires === 'by-hand'
    const { dispatch, prompt } = await recordTask(service, workflow, task, waits ? 'pending' : 'dispatched')
    service.log.info(
      { agent_id: agent.id, workflow_id: workflowId, dispatch_id: dispatch.id, ...requestOf(by) },
      'workflow triggered',
    )
    announceDispatch(service, dispatch)
    if (waits) wake(service, session)
    else await deliver(service, session, agent, prompt)
    return dispatch
  })
}

function requestOf({ actor, requestId }: Actor): { actor: string; request_id: string } {
  return { actor, request_id: requestId }
}

async function enabled(service: ServiceParts, id: string): Promise<WorkflowRow> {
  const workflow = await service.tables.workflows.get(id)
  if (!workflow.enabled) throw invalid(`workflow ${id} is disabled: enable it first`, undefined, 'workflow-disabled')
  return workflow
}

async function connected(service: ServiceParts, agentId: string): Promise<AgentRow> {
  const agent = await service.agents.find(agentId)
  if (!agent)
    throw unavailable(
      `agent ${agentId} of the workflow does not exist: give the workflow another agent`,
      undefined,
      'agent-missing',
    )
  if (agent.status !== 'running' || !service.sessions.find(agentId)?.connected)
    throw unavailable(
      `agent ${agentId} of the workflow is not connected: wait until it is, or restart it`,
      undefined,
      'agent-not-connected',
    )
  return agent
}

/** One task at a time per agent, over all its workflows and messages. */
async function idle(service: ServiceParts, agent: AgentRow): Promise<void> {
  const session = service.sessions.of(agent.id)
  if (session.busy || !session.synced || (await countQueued(service, agent.id)) > 0)
    throw conflict(`agent ${agent.id} is busy with another task: try again when it is idle`, 'agent-busy')
  const reason = await costReason(service, agent)
  if (reason) throw conflict(`agent ${agent.id} takes no more prompts: ${reason}`, 'budget-spent')
}

/** A task whose policy the agent program may not obey is refused, not held. */
function enforceable(service: ServiceParts, agent: AgentRow, workflow: WorkflowRow): void {
  const reason = holdReason(
    service.sessions.of(agent.id).capabilities,
    agent.spec,
    taskPolicy(workflow) ?? agent.spec.tool_policy,
  )
  if (reason) throw conflict(`agent ${agent.id} cannot take the task: ${reason}`, 'policy-unenforceable')
}

async function recordTask(
  service: ServiceParts,
  workflow: WorkflowRow,
  task: TriggeredTask,
  status: 'pending' | 'dispatched',
): Promise<{ dispatch: DispatchRecord; prompt: Prompt }> {
  const { agent_id, trigger_config, prompt_template } = workflow
  const content = renderTemplate(prompt_template, templateValues(task))
  return write(service.db, async (transaction) => {
    const dispatch = await addDispatch(service, transaction, {
      workflow_id: workflow.id,
      source_id: task.sourceId,
      agent_id,
      prompt_sent: content,
      status,
      trigger_type: trigger_config.type,
    })
    const prompt = await addPrompt(
      service,
      transaction,
      { agent_id, kind: 'dispatch', content, dispatch_id: dispatch.id, policy: taskPolicy(workflow) },
      status === 'dispatched' ? 'sent' : 'queued',
    )
    return { dispatch, prompt }
  })
}

/** Metadata keys are variables too, but never take the place of a standard one. */
function templateValues({ sourceId, title, body = '', metadata = {} }: TriggeredTask) {
  const listed = Object.entries(metadata).map(([key, value]) => `${key}: ${value}`)
  return {
    ...metadata,
    title,
    body,
    url: '',
    labels: '',
    assignee: '',
    source_id: sourceId,
    metadata: listed.join('\n'),
  }
}
