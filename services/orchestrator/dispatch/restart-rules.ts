// What becomes of the dispatches that were with an agent when the last daemon ended: as their workflow says, else as
// the setting does.
import { write, type Knex } from '../../../platform/database/database.ts'
import type { OnRestart } from '../../../schemas/workflow.ts'
import type { DispatchRecorder } from '../events/dispatch-recorder.ts'
import { addPrompt } from '../record/prompt-store.ts'
import { OLDEST_FIRST, type DispatchRow, type WorkflowRow } from '../record/tables.ts'
import { now, type Querying, type Creating } from '../record/world.ts'
import { taskPolicy } from './task-records.ts'

export interface RestartSettings {
  /** The rule of workflows that name none. */
  onRestart: OnRestart
}

export interface Settling {
  dispatches: DispatchRecorder
  settings: RestartSettings
}

/** The rule for the dispatches of a workflow; those of one that is deleted fail. */
export function ruleOf({ onRestart }: RestartSettings, workflow: WorkflowRow | null): OnRestart {
  return workflow === null ? 'fail' : (workflow.on_restart ?? onRestart)
}

/** Call before anything is adopted or started; `lives` says whose session outlived the last daemon. */
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

/** The dispatch as it is now; null where it goes on as it was. */
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
  // A turn that goes on ends under the policy it began under. Its result is that of the task where the task is to be
  // given again, and of nothing else.
  const over = { status: 'failed' as const, error: RESTARTED, done_at: now(record) }
  const prompt = lives ? { dispatch_id: again && dispatch.id } : over
  await record.tables.prompts.update({ dispatch_id: dispatch.id, status: 'sent' }, prompt, transaction)
  if (again) return tryAgain(record, transaction, dispatch, again)
  const error = rule === 'adopt' ? `${RESTARTED}, and the agent's session did not outlive it` : RESTARTED
  // Whoever says fail wants no task to go out twice.
  return dispatches.end(transaction, dispatch.id, { status: 'failed', error, final: true })
}

const RESTARTED = 'the orchestrator was restarted'

/** The same task once more, in the agent's queue. */
async function tryAgain(
  record: Creating,
  transaction: Knex,
  { id, agent_id, attempt, prompt_sent }: DispatchRow,
  workflow: WorkflowRow,
): Promise<DispatchRow> {
  const again = { status: 'pending', attempt: attempt + 1, dispatched_at: null } as const
  await record.tables.dispatches.update(id, again, transaction)
  const prompt = { agent_id, kind: 'dispatch', content: prompt_sent, dispatch_id: id } as const
  await addPrompt(record, transaction, { ...prompt, policy: taskPolicy(workflow) })
  return record.tables.dispatches.get(id, transaction)
}
