// pending → processing → completed; pending again after a failure or time-out, and dead after `max_retries`.
import type { Knex } from '../../../platform/database/database.ts'
import type { RowPatch } from '../../../platform/store/rows.ts'
import { now, type Querying, type Writing } from './world.ts'
import type { DispatchRow, QueueTaskRow } from './tables.ts'

/** Delay before the first retry; doubled after each failure. */
const FIRST_WAIT_MS = 5000
const LONGEST_WAIT_MS = 5 * 60_000
const TIMED_OUT = 'no result within the visibility timeout'

/** Claims up to one task per dispatch, in order. Call in the transaction that uses them. */
export async function claimTasks(
  service: Writing,
  transaction: Knex,
  { queue, dispatchIds, timeoutSecs }: { queue: string; dispatchIds: readonly string[]; timeoutSecs: number },
): Promise<QueueTaskRow[]> {
  return service.tables.queueTasks.claim(
    {
      where: (query) => freeIn(query, service, queue),
      order: ['priority', { column: 'seq', order: 'asc' }],
      set: { status: 'processing', visible_at: later(service, timeoutSecs * 1000) },
      each: { dispatch_id: dispatchIds },
      most: dispatchIds.length,
    },
    transaction,
  )
}

export async function expireTasks(service: Writing, transaction: Knex, queue: string): Promise<void> {
  const { queueTasks } = service.tables
  const late = await queueTasks.list({ where: (query) => lateIn(query, service, queue) }, transaction)
  const patches = late.map((task) => [task.id, afterFailure(service, task, { error: TIMED_OUT, wait: false })] as const)
  await queueTasks.changeEach(new Map(patches), {}, transaction)
}

export async function checkQueue(
  service: Querying & Writing,
  queue: string,
): Promise<{ late: boolean; free: boolean }> {
  const { db, tables } = service
  const one = (narrow: (query: Knex.QueryBuilder) => void) =>
    db(tables.queueTasks.name).where(narrow).limit(1).select('seq')
  const late = one((query) => lateIn(query, service, queue))
  const [row] = await db.select(late.as('late'), one((query) => freeIn(query, service, queue)).as('free'))
  return { late: row.late !== null, free: row.free !== null }
}

export async function hasLate(service: Writing, queue: string): Promise<boolean> {
  return (await service.tables.queueTasks.count((query) => lateIn(query, service, queue))) > 0
}

export async function lateQueues(service: Querying & Writing): Promise<string[]> {
  const tasks = service.db(service.tables.queueTasks.name)
  return tasks
    .where((query) => lateIn(query, service))
    .distinct('queue_name')
    .pluck('queue_name')
}

function freeIn(query: Knex.QueryBuilder, service: Writing, queue: string): void {
  void query.where({ queue_name: queue, status: 'pending' }).where('visible_at', '<=', now(service))
}

function lateIn(query: Knex.QueryBuilder, service: Writing, queue?: string): void {
  void query.where({ status: 'processing' }).where('visible_at', '<=', now(service))
  if (queue !== undefined) void query.where({ queue_name: queue })
}

/** `final`: the task is not retried. */
export interface TaskEnd extends Pick<DispatchRow, 'id' | 'status' | 'error' | 'task'> {
  final: boolean
}

/** Call in the transaction that ends the dispatches. */
export async function settleQueueTasks(service: Writing, transaction: Knex, ends: readonly TaskEnd[]): Promise<void> {
  const { queueTasks } = service.tables
  const completed = ends.filter(({ status }) => status === 'completed')
  // A late result counts unless another attempt has begun.
  if (completed.length > 0) {
    const open = (query: Knex.QueryBuilder) => void latestIn(query, completed).whereNot('status', 'completed')
    await queueTasks.update(open, { status: 'completed', error: null, ended_at: now(service) }, transaction)
  }
  const others = new Map(ends.filter(({ status }) => status !== 'completed').map((end) => [end.id, end]))
  if (others.size === 0) return
  const where = (query: Knex.QueryBuilder) => void latestIn(query, [...others.values()])
  const tasks = await queueTasks.list({ where, order: ['id'], hold: true }, transaction)
  const patches = tasks.flatMap((task) => {
    if (task.status !== 'processing') return []
    const { status, error, final } = others.get(task.dispatch_id!)!
    const again = { status: 'pending', visible_at: now(service) } as const
    return [[task.id, status === 'failed' ? afterFailure(service, task, { error, wait: true, final }) : again] as const]
  })
  await queueTasks.changeEach(new Map(patches), {}, transaction)
}

/** Not by status: PostgreSQL would scan every row version that had it since the last vacuum. */
function latestIn(query: Knex.QueryBuilder, attempts: readonly TaskEnd[]): Knex.QueryBuilder {
  const tasks = attempts.flatMap(({ task }) => task?.metadata?.queue_task_id ?? [])
  const dispatches = attempts.map(({ id }) => id)
  return query.whereIn('id', tasks).whereIn('dispatch_id', dispatches)
}

function afterFailure(
  service: Writing,
  { retry_count, max_retries }: QueueTaskRow,
  { error, wait, final = false }: { error: string | null; wait: boolean; final?: boolean },
): RowPatch<QueueTaskRow> {
  const failed = retry_count + 1
  const over = final || failed >= max_retries
  const pause = wait ? Math.min(FIRST_WAIT_MS * 2 ** retry_count, LONGEST_WAIT_MS) : 0
  const next = over
    ? ({ status: 'dead', ended_at: now(service) } as const)
    : ({ status: 'pending', visible_at: later(service, pause) } as const)
  return { retry_count: failed, error, ...next }
}

const later = ({ clock }: Writing, ms: number): string => new Date(clock.now() + ms).toISOString()
