// Dispatch records: one a task that a workflow gave, or is about to give, to its agent.
import type { Knex } from '../../../platform/database/database.ts'
import { settleQueueTasks } from './queue-store.ts'
import type { Chains } from './chains.ts'
import type { DispatchRow } from './tables.ts'
import { now, type RecordWorld } from './world.ts'
import { dropPromptsOf } from './prompt-store.ts'
import type { Figures } from './usage.ts'

/** Tasks that may go before a task, each fired by the one before. */
export const LONGEST_CHAIN = 32

/** What closing a dispatch leans on beside the record. */
export interface DispatchStoreWorld extends RecordWorld {
  /** Which workflows follow on the ends of dispatches. */
  chains: Chains
}

type NewDispatch = Pick<
  DispatchRow,
  'workflow_id' | 'source_id' | 'agent_id' | 'prompt_sent' | 'status' | 'trigger_type' | 'task' | 'depth'
>

type Verdict = {
  status: 'completed' | 'failed' | 'skipped'
  attempt?: number
  error?: string | null
  result?: string | null
  usage?: Figures
}

export async function addDispatches(
  service: RecordWorld,
  transaction: Knex,
  dispatches: readonly (NewDispatch & { id?: string; error?: string; completed_at?: string })[],
): Promise<DispatchRow[]> {
  const at = now(service)
  const rows = dispatches.map((dispatch) => {
    const dispatched_at = dispatch.status === 'dispatched' ? at : null
    return { id: service.ids(), ...dispatch, attempt: 1, created_at: at, dispatched_at }
  })
  return service.tables.dispatches.insertAll(rows, transaction)
}

/** A task that comes to nothing from the first. */
export async function skippedDispatch(
  service: RecordWorld,
  transaction: Knex,
  dispatch: Omit<NewDispatch, 'status'>,
  error: string,
): Promise<DispatchRow> {
  const skipped = { ...dispatch, status: 'skipped', error, completed_at: now(service) } as const
  return (await addDispatches(service, transaction, [skipped]))[0]!
}

/** pending → dispatched; null when it is pending no more. */
export async function markDispatched(service: RecordWorld, transaction: Knex, id: string): Promise<DispatchRow | null> {
  const { dispatches } = service.tables
  const sent = { status: 'dispatched', dispatched_at: now(service) } as const
  return dispatches.change({ id, status: 'pending' }, sent, transaction)
}

/** Ends a dispatch that is in hand; null when it has ended already. `final`: its queue does not try it again. */
export async function closeDispatch(
  service: DispatchStoreWorld,
  transaction: Knex,
  id: string,
  verdict: Verdict & { final?: boolean },
): Promise<DispatchRow | null> {
  return (await closeDispatches(service, transaction, new Map([[id, verdict]])))[0] ?? null
}

/** The same for several, by their ids; returns those that were in hand, in the order of the verdicts. */
async function closeDispatches(
  service: DispatchStoreWorld,
  transaction: Knex,
  verdicts: ReadonlyMap<string, Verdict & { final?: boolean }>,
  status: readonly DispatchRow['status'][] = ['pending', 'dispatched'],
): Promise<DispatchRow[]> {
  const completed_at = now(service)
  const patches = [...verdicts].map(([id, { final: _final, ...verdict }]) => {
    return [id, { error: null, result: null, usage: null, ...verdict, completed_at }] as const
  })
  const closed = await service.tables.dispatches.changeEach(new Map(patches), { status }, transaction)
  const byId = new Map(closed.map((dispatch) => [dispatch.id, dispatch]))
  const inOrder = [...verdicts.keys()].flatMap((id) => byId.get(id) ?? [])
  const ofQueues = inOrder.filter(({ trigger_type }) => trigger_type === 'queue')
  const ends = ofQueues.map((dispatch) => ({ ...dispatch, final: verdicts.get(dispatch.id)!.final ?? false }))
  await settleQueueTasks(service, transaction, ends)
  // The end of a chain that is too long fires nothing: there the chain ends.
  const firing = inOrder.filter(({ depth }) => depth <= LONGEST_CHAIN)
  await service.chains.note(service, transaction, firing)
  return inOrder
}

/**
 * Ends dispatches of prompts that were with their agents, by their ids. One that waits to be given again is completed
 * by a result of its former attempt, which is all that was wanted, and left to wait by anything less.
 */
export async function closeAttempts(
  service: DispatchStoreWorld,
  transaction: Knex,
  verdicts: ReadonlyMap<string, Verdict>,
): Promise<DispatchRow[]> {
  const closed = await closeDispatches(service, transaction, verdicts, ['dispatched'])
  const ended = new Set(closed.map(({ id }) => id))
  for (const [id, verdict] of verdicts) {
    if (ended.has(id) || verdict.status !== 'completed') continue
    const dispatch = await service.tables.dispatches.find({ id, status: 'pending' }, transaction)
    if (!dispatch) continue
    await dropPromptsOf(service, transaction, [id], 'a former attempt completed the task')
    const former = { ...verdict, attempt: dispatch.attempt - 1 }
    closed.push(...(await closeDispatches(service, transaction, new Map([[id, former]]))))
  }
  return closed
}

/** Tasks of a workflow that still wait are skipped, and their prompts dropped. */
export async function skipPending(
  service: DispatchStoreWorld,
  transaction: Knex,
  whose: { workflow_id: string } | { agent_id: string },
  reason: string,
): Promise<DispatchRow[]> {
  const where = { ...whose, status: 'pending' as const }
  const pending = await service.tables.dispatches.list({ where, order }, transaction)
  const ids = pending.map(({ id }) => id)
  await dropPromptsOf(service, transaction, ids, reason)
  const skipped = { status: 'skipped', error: reason } as const
  return closeDispatches(service, transaction, new Map(ids.map((id) => [id, skipped])))
}

const order = [{ column: 'seq', order: 'asc' }] as const

/** The name of the workflow that gave this task; null when it is deleted. */
export async function workflowOfDispatch({ tables }: RecordWorld, id: string): Promise<string | null> {
  const dispatch = await tables.dispatches.find(id)
  return (dispatch && (await tables.workflows.find(dispatch.workflow_id)))?.name ?? null
}
