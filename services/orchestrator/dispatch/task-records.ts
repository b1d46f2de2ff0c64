// Records tasks: of each a dispatch, and the prompt that belongs to it.
import type { Knex } from '../../../platform/database/database.ts'
import type { DispatchWorld } from './world.ts'
import { addDispatches } from '../record/dispatch-store.ts'
import { addPrompts } from '../record/prompt-store.ts'
import type { DispatchRow, Prompt, WorkflowRow } from '../record/tables.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'
import { taskPolicy } from './task-policy.ts'
import { promptOf } from './task-prompt.ts'

/** Of each a dispatch, and the prompt that belongs to it. */
export async function recordTasks(
  service: DispatchWorld,
  transaction: Knex,
  given: readonly { workflow: WorkflowRow; task: TriggeredTask; id?: string }[],
  status: 'pending' | 'dispatched',
): Promise<{ dispatch: DispatchRow; prompt: Prompt }[]> {
  const rows = given.map(({ workflow, task, id }) => ({ ...(id && { id }), ...dispatchOf(workflow, task), status }))
  const dispatches = await addDispatches(service, transaction, rows)
  const asked = dispatches.map(({ id, agent_id, prompt_sent }, nth) => ({
    agent_id,
    kind: 'dispatch' as const,
    content: prompt_sent,
    dispatch_id: id,
    policy: taskPolicy(given[nth]!.workflow),
  }))
  const prompts = await addPrompts(service, transaction, asked, status === 'dispatched' ? 'sent' : 'queued')
  return dispatches.map((dispatch, nth) => ({ dispatch, prompt: prompts[nth]! }))
}

/** What is recorded of a task, but its status. */
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
