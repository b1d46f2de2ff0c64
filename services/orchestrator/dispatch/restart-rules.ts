// What becomes of the dispatches that were with an agent when the last daemon ended: as their workflow says, else as
// the setting does.
import { write, type Knex } from '../../../platform/database/database.ts'
import type { OnRestart } from '../../../schemas/workflow.ts'
import type { DispatchWorld } from './world.ts'
import { now } from '../record/world.ts'
import { addPrompt } from '../record/prompt-store.ts'
import type { DispatchRow, WorkflowRow } from '../record/tables.ts'
import { announceDispatch } from '../events/dispatch-announcements.ts'
import { closeDispatch } from '../record/dispatch-store.ts'
import { taskPolicy } from './task-policy.ts'

/** The rule for the dispatches of a workflow; those of one that is deleted fail. */
export function ruleOf({ settings }: Pick<DispatchWorld, 'settings'>, workflow: WorkflowRow | null): OnRestart {
  return workflow === null ? 'fail' : (workflow.on_restart ?? settings.onRestart)
}

/** Call before anything is adopted or started; `lives` says whose session outlived the last daemon. */
export async function settleInFlight(service: DispatchWorld, lives: (agentId: string) => boolean): Promise<void> {
  const settled = await write(service.db, async (transaction) => {
    const order = [{ column: 'seq', order: 'asc' }] as const
    const inFlight = await service.tables.dispatches.list({ where: { status: 'dispatched' }, order }, transaction)
    const moved: (DispatchRow | null)[] = []
    for (const dispatch of inFlight) moved.push(await settle(service, transaction, dispatch, lives(dispatch.agent_id)))
    return moved
  })
  for (const dispatch of settled) if (dispatch) announceDispatch(service, dispatch)
}

/** The dispatch as it is now; null where it goes on as it was. */
async function settle(
  service: DispatchWorld,
  transaction: Knex,
  dispatch: DispatchRow,
  lives: boolean,
): Promise<DispatchRow | null> {
  const workflow = await service.tables.workflows.find(dispatch.workflow_id, transaction)
  const rule = ruleOf(service, workflow)
  if (rule === 'adopt' && lives) return null
  const again = rule === 'retry' && workflow?.enabled ? workflow : null
  // A turn that goes on ends under the policy it began under. Its result is that of the task where the task is to be
  // given again, and of nothing else.
  const over = { status: 'failed' as const, error: RESTARTED, done_at: now(service) }
  const prompt = lives ? { dispatch_id: again && dispatch.id } : over
  await service.tables.prompts.update({ dispatch_id: dispatch.id, status: 'sent' }, prompt, transaction)
  if (again) return tryAgain(service, transaction, dispatch, again)
  const error = rule === 'adopt' ? `${RESTARTED}, and the agent's session did not outlive it` : RESTARTED
  // Whoever says fail wants no task to go out twice.
  return closeDispatch(service, transaction, dispatch.id, { status: 'failed', error, final: true })
}

const RESTARTED = 'the orchestrator was restarted'

/** The same task once more, in the agent's queue. */
async function tryAgain(
  service: DispatchWorld,
  transaction: Knex,
  { id, agent_id, attempt, prompt_sent }: DispatchRow,
  workflow: WorkflowRow,
): Promise<DispatchRow> {
  const again = { status: 'pending', attempt: attempt + 1, dispatched_at: null } as const
  await service.tables.dispatches.update(id, again, transaction)
  const prompt = { agent_id, kind: 'dispatch', content: prompt_sent, dispatch_id: id } as const
  await addPrompt(service, transaction, { ...prompt, policy: taskPolicy(workflow) })
  return service.tables.dispatches.get(id, transaction)
}
