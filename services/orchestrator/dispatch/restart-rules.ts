import { write, type Knex } from '../../../platform/database/database.ts'
import type { OnRestart } from '../../../schemas/workflow.ts'
import type { DispatchRecorder } from '../events/dispatch-recorder.ts'
import { addPrompt } from '../record/prompt-store.ts'
import { OLDEST_FIRST, type DispatchRow, type WorkflowRow } from '../record/tables.ts'
import { now, type Querying, type Creating } from '../record/world.ts'
import { taskPolicy } from './task-records.ts'

export interface RestartSettings {
  onRestart: OnRestart
}

export interface Settling {
  dispatches: DispatchRecorder
  settings: RestartSettings
}

export function ruleOf({ onRestart }: RestartSettings, workflow: WorkflowRow | null): OnRestart {
  return workflow === null ? 'fail' : (workflow.on_restart ?? onRestart)
}

/** Applies `on_restart`. Call before any session is adopted or started. `lives`: the session survived the restart. */
export async function settleInFlight(
  record: Querying & Creating,
  settling: Settling,
  lives: (agentId: string) => boolean,
): Promise<void> {
  const settled = await write(record.db, async (transaction) => {
    const which = { where: { status: 'dispatched' }, order: OLDEST_FIRST } as const
    const inFlight = await record.tables.dispatches.list(which, transaction)
    const moved: (DispatchRow | null)[] = []
    for (const dispatch of inFlight)
      moved.push(await settle(record, settling, transaction, dispatch, lives(dispatch.agent_id)))
    return moved
  })
  settling.dispatches.announce(settled)
}

/** Returns null if unchanged. */
async function settle(
  record: Creating,
  { dispatches, settings }: Settling,
  transaction: Knex,
  dispatch: DispatchRow,
  lives: boolean,
): Promise<DispatchRow | null> {
  const workflow = await record.tables.workflows.find(dispatch.workflow_id, transaction)
  const rule = ruleOf(settings, workflow)
  if (rule === 'adopt' && lives) return null
  const again = rule === 'retry' && workflow?.enabled ? workflow : null
  // A running turn keeps its policy. Its result counts only for a retry.
  const over = { status: 'failed' as const, error: RESTARTED, done_at: now(record) }
  const prompt = lives ? { dispatch_id: again && dispatch.id } : over
  await record.tables.prompts.update({ dispatch_id: dispatch.id, status: 'sent' }, prompt, transaction)
  if (again) return retryDispatch(record, transaction, dispatch, again)
  const error = rule === 'adopt' ? `${RESTARTED}, and the agent's session did not survive it` : RESTARTED
  // `fail` promises that no task is sent twice.
  return dispatches.end(transaction, dispatch.id, { status: 'failed', error, final: true })
}

const RESTARTED = 'the orchestrator was restarted'

async function retryDispatch(
  record: Creating,
  transaction: Knex,
  { id, agent_id, attempt, prompt_sent, task }: DispatchRow,
  workflow: WorkflowRow,
): Promise<DispatchRow> {
  const again = { status: 'pending', attempt: attempt + 1, dispatched_at: null } as const
  await record.tables.dispatches.update(id, again, transaction)
  const prompt = { agent_id, kind: 'dispatch', content: prompt_sent, dispatch_id: id } as const
  await addPrompt(record, transaction, {
    ...prompt,
    policy: taskPolicy(workflow),
    by_agent: task?.byAgent ?? false,
  })
  return record.tables.dispatches.get(id, transaction)
}
