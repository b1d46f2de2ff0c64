import type { Knex } from '../../../platform/database/database.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import { renderTemplate } from '../../../schemas/workflow/template.ts'
import type { DispatchRecorder } from '../events/dispatch-recorder.ts'
import { addPrompts } from '../record/prompt-store.ts'
import type { DispatchRow, Prompt, WorkflowRow } from '../record/tables.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'
import { payloadVariables } from './payload-variables.ts'
import type { Creating } from '../record/world.ts'

export async function recordTasks(
  record: Creating,
  recorder: DispatchRecorder,
  transaction: Knex,
  given: readonly { workflow: WorkflowRow; task: TriggeredTask; id?: string }[],
  status: 'pending' | 'dispatched',
): Promise<{ dispatch: DispatchRow; prompt: Prompt }[]> {
  const rows = given.map(({ workflow, task, id }) => ({ ...(id && { id }), ...dispatchOf(workflow, task), status }))
  const dispatches = await recorder.add(transaction, rows)
  const asked = dispatches.map(({ id, agent_id, prompt_sent }, nth) => ({
    agent_id,
    kind: 'dispatch' as const,
    content: prompt_sent,
    dispatch_id: id,
    policy: taskPolicy(given[nth]!.workflow),
    by_agent: given[nth]!.task.byAgent ?? false,
  }))
  const prompts = await addPrompts(record, transaction, asked, status === 'dispatched' ? 'sent' : 'queued')
  return dispatches.map((dispatch, nth) => ({ dispatch, prompt: prompts[nth]! }))
}

export function dispatchOf(workflow: WorkflowRow, task: TriggeredTask) {
  return {
    workflow_id: workflow.id,
    source_id: task.sourceId,
    agent_id: workflow.agent_id,
    prompt_sent: promptOf(workflow, task),
    trigger_type: workflow.trigger_config.type,
    task,
    depth: task.depth ?? 0,
  }
}

/** Returns null for the agent's own policy. */
export function taskPolicy({ tool_policy: { mode, ...answers } }: Pick<WorkflowRow, 'tool_policy'>): ToolPolicy | null {
  return mode === 'auto' ? null : { mode, ...answers }
}

export function promptOf(
  { prompt_template }: Pick<WorkflowRow, 'prompt_template'>,
  { sourceId, title, body = '', url = '', labels = [], assignee = '', metadata = {}, payload }: TriggeredTask,
): string {
  const listed = Object.entries(metadata).map(([key, value]) => `${key}: ${value}`)
  const standard = { title, body, url, labels: labels.join(', '), assignee, source_id: sourceId }
  const members = payload === undefined ? {} : payloadVariables(prompt_template, payload === true ? body : payload)
  return renderTemplate(prompt_template, { ...members, ...metadata, ...standard, metadata: listed.join('\n') })
}
