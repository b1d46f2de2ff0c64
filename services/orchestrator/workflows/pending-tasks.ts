import type { Knex } from '../../../platform/database/database.ts'
import { changedFields } from '../../../platform/store/audit.ts'
import { OLDEST_FIRST, type WorkflowRow } from '../record/tables.ts'
import type { Reading } from '../record/world.ts'
import { promptOf, taskPolicy } from '../dispatch/task-records.ts'

type Deciding = Pick<WorkflowRow, 'agent_id' | 'prompt_template' | 'tool_policy'>
const deciding = ({ agent_id, prompt_template, tool_policy }: Deciding) => ({ agent_id, prompt_template, tool_policy })

/** Call in the transaction of the change. Tasks stored by an earlier version keep their prompt. */
export async function updatePendingTasks(
  { tables }: Reading,
  transaction: Knex,
  present: WorkflowRow,
  wanted: Deciding,
): Promise<void> {
  if (changedFields(deciding(present), deciding(wanted)).length === 0) return
  const { dispatches, prompts } = tables
  const { agent_id } = wanted
  const policy = taskPolicy(wanted)
  const where = { workflow_id: present.id, status: 'pending' as const }
  for (const { id, task, prompt_sent } of await dispatches.list({ where, order: OLDEST_FIRST }, transaction)) {
    const content = task ? promptOf(wanted, task) : prompt_sent
    await dispatches.update(id, { agent_id, prompt_sent: content }, transaction)
    await prompts.update({ dispatch_id: id, status: 'queued' }, { agent_id, content, policy }, transaction)
  }
}
