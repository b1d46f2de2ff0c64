// Triggering by hand: a task becomes a dispatch on record, then a prompt of the workflow's agent.
import { write } from '../../platform/database.ts'
import { conflict, invalid, unavailable } from '../../platform/problem.ts'
import { renderTemplate } from '../../schemas/template.ts'
import type { ToolPolicy } from '../../schemas/tool-policy.ts'
import type { DispatchRecord, TriggerInput } from '../../schemas/workflow.ts'
import { costReason, deliver } from './conversation.ts'
import { storable, type Core } from './core.ts'
import type { Desk } from './desk.ts'
import { addDispatch, announceDispatch } from './dispatches.ts'
import type { Workflows } from './face.ts'
import { holdReason } from './guard.ts'
import { addPrompt, countQueued, type PromptRow } from './prompts.ts'
import { isBusy, isConnected } from './seats.ts'
import { inTalk } from './stall.ts'
import { findAgent, type AgentRow } from './store.ts'
import { getWorkflow, type WorkflowRow } from './workflows.ts'

export function createTrigger(core: Core, desk: Desk): Workflows['trigger'] {
  return async (id, input, by) => {
    const agentId = (await enabled(core, id)).agent_id
    await connected(core, agentId)
    const seat = core.seats.of(agentId)
    return inTalk(seat, async () => {
      const workflow = await enabled(core, id)
      const agent = await connected(core, workflow.agent_id)
      await idle(core, agent)
      enforceable(core, agent, workflow)
      const manual = workflow.trigger_config.type === 'manual'
      const { dispatch, prompt } = await recordTask(core, workflow, input, manual ? 'pending' : 'dispatched')
      core.log.info(
        { agent_id: agent.id, workflow_id: id, dispatch_id: dispatch.id, actor: by.actor, request_id: by.requestId },
        'workflow triggered',
      )
      announceDispatch(core, dispatch)
      if (manual) desk.wake(seat)
      else await deliver(core, seat, agent, prompt)
      return dispatch
    })
  }
}

async function enabled(core: Core, id: string): Promise<WorkflowRow> {
  const workflow = await getWorkflow(core, id)
  if (!workflow.enabled) throw invalid(`workflow ${id} is disabled: enable it first`)
  return workflow
}

async function connected(core: Core, agentId: string): Promise<AgentRow> {
  const agent = await findAgent(core, agentId)
  if (!agent) throw unavailable(`agent ${agentId} of the workflow does not exist: give the workflow another agent`)
  if (agent.status !== 'running' || !isConnected(core.seats.find(agentId)))
    throw unavailable(`agent ${agentId} of the workflow is not connected: wait until it is, or restart it`)
  return agent
}

/** One task at a time per agent, over all its workflows and messages. */
async function idle(core: Core, agent: AgentRow): Promise<void> {
  const seat = core.seats.of(agent.id)
  if (isBusy(seat) || !seat.synced || (await countQueued(core.db, agent.id)) > 0)
    throw conflict(`agent ${agent.id} is busy with another task: try again when it is idle`)
  const reason = await costReason(core, agent)
  if (reason) throw conflict(`agent ${agent.id} takes no more prompts: ${reason}`)
}

/** A task whose policy the agent program may not obey is refused, not held. */
function enforceable(core: Core, agent: AgentRow, workflow: WorkflowRow): void {
  const reason = holdReason(core.seats.of(agent.id), agent.spec, taskPolicy(workflow) ?? agent.spec.tool_policy)
  if (reason) throw conflict(`agent ${agent.id} cannot take the task: ${reason}`)
}

/** The policy of the workflow's tasks; null = the agent's own. */
function taskPolicy({ tool_policy: { mode, tools } }: WorkflowRow): ToolPolicy | null {
  return mode === 'auto' ? null : { mode, tools }
}

async function recordTask(
  core: Core,
  workflow: WorkflowRow,
  input: TriggerInput,
  status: 'pending' | 'dispatched',
): Promise<{ dispatch: DispatchRecord; prompt: PromptRow }> {
  const sourceId = `manual:${core.ids()}`
  const content = storable(renderTemplate(workflow.prompt_template, templateValues(sourceId, input)))
  return write(core.db, async (transaction) => {
    const dispatch = await addDispatch(core, transaction, {
      workflow_id: workflow.id,
      source_id: sourceId,
      agent_id: workflow.agent_id,
      prompt_sent: content,
      status,
      trigger_type: workflow.trigger_config.type,
    })
    const prompt = await addPrompt(
      core,
      transaction,
      { agentId: workflow.agent_id, kind: 'dispatch', content, dispatchId: dispatch.id, policy: taskPolicy(workflow) },
      status === 'dispatched' ? 'sent' : 'queued',
    )
    return { dispatch, prompt }
  })
}

/** Metadata keys are variables too, but never take the place of a standard one. */
function templateValues(
  sourceId: string,
  { title = 'Manual trigger', body = '', metadata = {} }: TriggerInput,
): Record<string, string> {
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
