import { eachOf, inPieces } from '../../../platform/async/time-slices.ts'
import { isAgent, type Actor } from '../../../platform/core/actor.ts'
import type { Config } from '../../../platform/core/config.ts'
import { conflict, notFound } from '../../../platform/core/problem.ts'
import { ownerOf } from '../../../platform/core/limits.ts'
import type { RateLimit } from '../../../platform/core/rate-limit.ts'
import { background, type Background } from '../../../platform/async/background.ts'
import { inBatches } from '../../../platform/async/batches.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import type { Listed, Page, PageLimits, Part } from '../../../platform/store/page.ts'
import type { PushedTask, QueuePush, QueueStats, QueueTask } from '../../../schemas/queue.ts'
import type { Queues } from '../face.ts'
import { now, type RecordWorld } from '../record/world.ts'
import type { QueuesWorld } from './world.ts'
import type { QueueTaskRow } from '../record/tables.ts'
import { hasLate, expireTasks, lateQueues } from '../record/queue-store.ts'

const MAX_RETRIES = 3
const USUAL_PEEK = 10
const PUSHED_AT_ONCE = 50
const KEPT_MS = 7 * 24 * 60 * 60_000
const TRIM_EVERY_MS = 60 * 60_000

type Count = Pick<QueueTaskRow, 'queue_name' | 'status'> & { count: number | string; oldest: string }

interface Push {
  row: Omit<QueueTaskRow, 'dispatch_id' | 'error' | 'ended_at'>
  by: Actor
}

interface PushLimits {
  rate: RateLimit
  config: Pick<Config, 'limitsFor'>
}

export class QueuesFace implements Queues {
  readonly #record: RecordWorld
  readonly #fed: QueuesWorld['pushes']
  readonly #limits: PushLimits
  readonly #push = inBatches(PUSHED_AT_ONCE, (pushed: readonly Push[]) => this.#write(pushed))
  #trim: Background | null = null

  constructor(record: RecordWorld, pushes: QueuesWorld['pushes'], limits: PushLimits) {
    this.#record = record
    this.#fed = pushes
    this.#limits = limits
  }

  start(): void {
    const { clock, log } = this.#record
    this.#trim = background({ clock, log, name: 'queue trim', everyMs: TRIM_EVERY_MS, work: () => this.#forget() })
  }

  async stop(): Promise<void> {
    await this.#trim?.stop()
  }

  async push(queue_name: string, { title, body = '', priority = 0 }: QueuePush, by: Actor): Promise<PushedTask> {
    const owner = ownerOf(by, this.#limits.config)
    if (owner !== null) this.#limits.rate.count(owner.id, owner.name)
    const at = now(this.#record)
    const id = this.#record.ids()
    const task = { id, queue_name, status: 'pending', title, body, priority } as const
    const times = { created_at: at, visible_at: at }
    const row = { ...task, retry_count: 0, max_retries: MAX_RETRIES, ...times, by_agent: isAgent(by) }
    await this.#push({ row, by })
    this.#fed.publish(queue_name)
    return { id, queue_name, status: task.status, created_at: at }
  }

  async #write(pushed: readonly Push[]): Promise<null[]> {
    const { audit, db, tables } = this.#record
    await write(db, async (transaction) => {
      const writes = pushed.map(({ row, by }) => ({ kind: 'queues', id: row.queue_name, members: [row.id], by }))
      await audit.recordAll(transaction, writes)
      const rows = pushed.map(({ row }) => row)
      await tables.queueTasks.insertAll(rows, transaction)
    })
    return pushed.map(() => null)
  }

  async list(): Promise<QueueStats[]> {
    for (const name of await lateQueues(this.#record)) await this.#expire(name)
    const byQueue = new Map<string, Count[]>()
    for (const row of await this.#counts({})) byQueue.set(row.queue_name, [...(byQueue.get(row.queue_name) ?? []), row])
    const stats: QueueStats[] = []
    await inPieces(eachOf(byQueue, ([name, rows]) => void stats.push(this.#statsOf(name, rows))))
    return stats
  }

  async stats(queue_name: string): Promise<QueueStats> {
    await this.#expire(queue_name)
    return this.#statsOf(queue_name, await this.#counts({ queue_name }))
  }

  #counts(where: Partial<Pick<QueueTaskRow, 'queue_name'>>): Promise<Count[]> {
    return this.#record
      .db(this.#record.tables.queueTasks.name)
      .where(where)
      .groupBy('queue_name', 'status')
      .orderBy('queue_name')
      .select('queue_name', 'status')
      .count({ count: '*' })
      .min({ oldest: 'created_at' })
  }

  #statsOf(queue_name: string, rows: readonly Count[]): QueueStats {
    const { clock } = this.#record
    const of = (status: QueueTaskRow['status']) => rows.find((row) => row.status === status)
    const count = (status: QueueTaskRow['status']) => Number(of(status)?.count ?? 0)
    const oldest = of('pending')?.oldest
    return {
      queue_name,
      pending: count('pending'),
      processing: count('processing'),
      completed: count('completed'),
      dead: count('dead'),
      oldest_pending_secs: oldest === undefined ? 0 : Math.floor((clock.now() - Date.parse(oldest)) / 1000),
    }
  }

  async peek(queue_name: string, limits: PageLimits | null): Promise<Page<QueueTask>> {
    await this.#expire(queue_name)
    const { queueTasks } = this.#record.tables
    const { limit, offset } = limits ?? { limit: USUAL_PEEK, offset: 0 }
    const page = await queueTasks.page({
      where: { queue_name, status: 'pending' },
      order: ['priority', { column: 'seq', order: 'asc' }],
      limit,
      offset,
    })
    return { items: page.items.map((task) => queueTasks.record(task)), total: page.total }
  }

  async tasks<P extends Part>(
    queue_name: string,
    { status }: { status?: QueueTask['status'] },
    part: P,
  ): Promise<Listed<QueueTask, P>> {
    await this.#expire(queue_name)
    return this.#record.tables.queueTasks.listed({ where: { queue_name, status } }, part)
  }

  async purge(queue_name: string, by: Actor): Promise<number> {
    return write(this.#record.db, async (transaction) => {
      await this.#record.audit.record(transaction, 'queues', queue_name, [''], by)
      return this.#record.tables.queueTasks.delete({ queue_name }, transaction)
    })
  }

  async redrive(queue_name: string, by: Actor): Promise<number> {
    const redriven = await write(this.#record.db, async (transaction) => {
      await this.#record.audit.record(transaction, 'queues', queue_name, [''], by)
      const where = { queue_name, status: 'dead' } as const
      return this.#record.tables.queueTasks.update(where, this.#again(), transaction)
    })
    if (redriven > 0) this.#fed.publish(queue_name)
    return redriven
  }

  async redriveTask(queue_name: string, id: string, by: Actor): Promise<QueueTask> {
    await this.#expire(queue_name)
    const { audit, db, tables } = this.#record
    const task = await write(db, async (transaction) => {
      const present = await tables.queueTasks.find({ id, queue_name }, transaction)
      if (!present) throw notFound('task', `${id} of queue ${queue_name}`)
      if (present.status !== 'dead')
        throw conflict(`task ${id} of queue ${queue_name} is ${present.status}: only a dead task can be retried`)
      await audit.record(transaction, 'queues', queue_name, [id], by)
      return (await tables.queueTasks.change(id, this.#again(), transaction))!
    })
    this.#fed.publish(queue_name)
    return tables.queueTasks.record(task)
  }

  #again() {
    const reset = { status: 'pending', retry_count: 0, dispatch_id: null, ended_at: null } as const
    return { ...reset, visible_at: now(this.#record) }
  }

  async #expire(queue: string): Promise<void> {
    if (!(await hasLate(this.#record, queue))) return
    await write(this.#record.db, (transaction) => expireTasks(this.#record, transaction, queue))
  }

  async #forget(): Promise<void> {
    const before = new Date(this.#record.clock.now() - KEPT_MS).toISOString()
    const old = (query: Knex.QueryBuilder) => void query.where({ status: 'completed' }).where('ended_at', '<', before)
    await this.#record.tables.queueTasks.delete(old)
  }
}
