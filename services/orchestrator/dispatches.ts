// Dispatch records: one a task that a workflow gave, or is about to give, to its agent.
import type { Knex } from '../../platform/database.ts'
import type { DispatchRecord } from '../../schemas/workflow.ts'
import { now, type Core } from './core.ts'
import { dropPromptsOf } from './prompts.ts'
import type { Figures } from './usage.ts'

const TABLE = 'orchestrator_dispatches'

type Verdict = {
  status: 'completed' | 'failed' | 'skipped'
  error?: string | null
  result?: string | null
  usage?: Figures
}

export async function addDispatch(
  core: Core,
  transaction: Knex,
  dispatch: Pick<DispatchRecord, 'workflow_id' | 'source_id' | 'agent_id' | 'prompt_sent' | 'status' | 'trigger_type'>,
): Promise<DispatchRecord> {
  const at = now(core)
  const record = {
    id: core.ids(),
    ...dispatch,
    attempt: 1,
    error: null,
    result: null,
    usage: null,
    created_at: at,
    dispatched_at: dispatch.status === 'dispatched' ? at : null,
    completed_at: null,
  }
  await transaction(TABLE).insert(record)
  return record
}

/** pending → dispatched; null when it is pending no more. */
export async function markDispatched(core: Core, transaction: Knex, id: string): Promise<DispatchRecord | null> {
  const changed = await transaction(TABLE)
    .where({ id, status: 'pending' })
    .update({ status: 'dispatched', dispatched_at: now(core) })
  return changed === 1 ? getDispatch(transaction, id) : null
}

/** Ends a dispatch that is in hand; null when it has ended already. */
export async function closeDispatch(
  core: Core,
  transaction: Knex,
  id: string,
  verdict: Verdict,
): Promise<DispatchRecord | null> {
  const { status, error = null, result = null, usage } = verdict
  const changed = await transaction(TABLE)
    .where({ id })
    .whereIn('status', ['pending', 'dispatched'])
    .update({ status, error, result, usage: usage ? JSON.stringify(usage) : null, completed_at: now(core) })
  return changed === 1 ? getDispatch(transaction, id) : null
}

/** Dispatches that were with an agent when the last daemon ended. */
export async function failInFlight(core: Core, transaction: Knex, reason: string): Promise<DispatchRecord[]> {
  const ids: string[] = await transaction(TABLE).where({ status: 'dispatched' }).orderBy('seq').pluck('id')
  return closeAll(core, transaction, ids, { status: 'failed', error: reason })
}

/** Tasks of a workflow that still wait are skipped, and their prompts dropped. */
export async function skipPending(
  core: Core,
  transaction: Knex,
  where: { workflow_id: string } | { agent_id: string },
  reason: string,
): Promise<DispatchRecord[]> {
  const ids: string[] = await transaction(TABLE)
    .where({ ...where, status: 'pending' })
    .orderBy('seq')
    .pluck('id')
  await dropPromptsOf(core, transaction, ids, reason)
  return closeAll(core, transaction, ids, { status: 'skipped', error: reason })
}

async function closeAll(core: Core, transaction: Knex, ids: string[], verdict: Verdict): Promise<DispatchRecord[]> {
  const closed: DispatchRecord[] = []
  for (const id of ids) {
    const dispatch = await closeDispatch(core, transaction, id, verdict)
    if (dispatch) closed.push(dispatch)
  }
  return closed
}

export async function getDispatch(db: Knex, id: string): Promise<DispatchRecord> {
  return toDispatch(await db(TABLE).where({ id }).first())
}

/** Newest first. */
export async function dispatchesOf(db: Knex, workflowId: string): Promise<DispatchRecord[]> {
  return (await db(TABLE).where({ workflow_id: workflowId }).orderBy('seq', 'desc')).map(toDispatch)
}

export function announceDispatch(core: Core, dispatch: DispatchRecord): void {
  core.streams.publish(dispatch.agent_id, 'dispatch', `dispatch ${dispatch.id} ${dispatch.status}`, { dispatch })
}

function toDispatch(row: Record<string, any>): DispatchRecord {
  const { seq: _, usage, ...record } = row
  return { ...record, usage: usage ? JSON.parse(usage) : null } as DispatchRecord
}
