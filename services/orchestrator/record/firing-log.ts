// What each firing of a trigger led to. A firing with a task is recorded in the transaction of the task. Others are
// buffered and counted, so that a flood of refused deliveries costs few writes and rows.
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import type { Timer } from '../../../platform/core/clock.ts'
import { RecentMap } from '../../../platform/core/recent.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { storable } from '../../../platform/store/columns.ts'
import type { Listed, Part } from '../../../platform/store/page.ts'
import { FIRING_OUTCOMES, type FiringFilter, type FiringRecord } from '../../../schemas/workflow/firing.ts'
import { deleteOlder } from './old-rows.ts'
import type { DispatchRow } from './tables.ts'
import { now, type RecordWorld } from './world.ts'

/** A firing without a task. */
export interface Untasked extends Partial<Pick<FiringRecord, 'code' | 'delivery' | 'trigger_type'>> {
  outcome: 'filtered' | 'refused' | 'missed' | 'failed'
  reason: string
  /** RFC 3339; default now. With it, the firing is recorded once, whatever the number of calls. */
  at?: string
}

type Stored = Omit<FiringRecord, 'trigger_type'> & Partial<Pick<FiringRecord, 'trigger_type'>>

/** Firings of a workflow without a task in one minute, by outcome and reason. */
interface Minute {
  /** Of the monotonic clock, in milliseconds. */
  since: number
  byReason: Map<string, Stored>
}

const MINUTE_MS = 60_000
/** Distinct reasons of a workflow per minute. */
const MOST_REASONS = 20
const OTHERS = `more than ${MOST_REASONS} different reasons within a minute`
/** Maximum delay before a firing is written. */
const GATHER_MS = 1000
const MOST_WORKFLOWS = 1000
const LONGEST_REASON = 500
/** Records of a workflow with the same outcome. */
const MOST_FIRINGS = 500
const MOST_DAYS = 30
const DAY_MS = 86_400_000
const ORDER = [
  { column: 'created_at', order: 'desc' },
  { column: 'seq', order: 'desc' },
]

export class FiringLog {
  readonly #record: RecordWorld
  readonly #turns = new SerialQueue()
  readonly #minutes = new RecentMap<Minute>(MOST_WORKFLOWS)
  /** Not written yet, by id; `isNew`: not in the table. */
  #waiting = new Map<string, { row: Stored; isNew: boolean; isOnce: boolean }>()
  #timer: Timer | null = null

  constructor(record: RecordWorld) {
    this.#record = record
  }

  /** Call in the transaction that stores the dispatches. A skipped one is a refusal. */
  async addTasks(
    transaction: Knex,
    dispatches: readonly DispatchRow[],
    about: Partial<Pick<FiringRecord, 'delivery' | 'trigger_type'>> = {},
  ): Promise<void> {
    const at = now(this.#record)
    const rows = dispatches.map(({ id, workflow_id, source_id, trigger_type, status, error }) => ({
      id: this.#record.ids(),
      workflow_id,
      trigger_type,
      dispatch_id: id,
      source_id,
      count: 1,
      outcome: status === 'skipped' ? ('refused' as const) : ('dispatched' as const),
      reason: error,
      created_at: at,
      last_at: at,
      code: null,
      delivery: null,
      ...about,
    }))
    await this.#record.tables.firingLog.insertAll(rows, transaction)
  }

  /** Buffers the firing. One of an unknown workflow is dropped. */
  add(workflowId: string, firing: Untasked): void {
    const { row, isNew } = this.#counted(workflowId, firing)
    const waiting = this.#waiting.get(row.id)
    this.#waiting.set(row.id, { row, isNew: isNew || (waiting?.isNew ?? false), isOnce: firing.at !== undefined })
    this.#timer ??= this.#record.clock.after(GATHER_MS, () => void this.flush())
  }

  #counted(workflowId: string, { at, ...firing }: Untasked): { row: Stored; isNew: boolean } {
    const byReason = this.#minuteOf(workflowId).byReason
    const last_at = at ?? now(this.#record)
    const isOther = !byReason.has(keyOf(firing, at)) && byReason.size >= MOST_REASONS
    const { reason, code = null, ...rest } = isOther ? { ...firing, reason: OTHERS, code: null } : firing
    const key = keyOf({ ...rest, reason, code }, at)
    const found = byReason.get(key)
    if (found) {
      const count = at === undefined ? found.count + 1 : found.count
      Object.assign(found, { count, last_at, delivery: firing.delivery ?? null })
      return { row: found, isNew: false }
    }
    const row: Stored = {
      id: this.#record.ids(),
      workflow_id: workflowId,
      dispatch_id: null,
      source_id: null,
      delivery: null,
      ...rest,
      reason: shortened(reason),
      code,
      count: 1,
      created_at: last_at,
      last_at,
    }
    byReason.set(key, row)
    return { row, isNew: true }
  }

  #minuteOf(workflowId: string): Minute {
    const { clock } = this.#record
    const known = this.#minutes.get(workflowId)
    if (known && clock.monotonic() - known.since < MINUTE_MS) return known
    const minute = { since: clock.monotonic(), byReason: new Map() }
    this.#minutes.set(workflowId, minute)
    return minute
  }

  /** Newest first. */
  async list<P extends Part>(
    workflow_id: string,
    { outcome }: FiringFilter,
    part: P,
  ): Promise<Listed<FiringRecord, P>> {
    await this.flush()
    return this.#record.tables.firingLog.listed({ where: { workflow_id, outcome } }, part)
  }

  async forget(transaction: Knex, workflow_id: string): Promise<void> {
    this.#minutes.delete(workflow_id)
    await this.#record.tables.firingLog.delete({ workflow_id }, transaction)
  }

  /** Deletes records older than 30 days or `before` (RFC 3339), and the oldest above 500 with the same outcome. */
  async trim(before: string, signal: AbortSignal): Promise<number> {
    const { clock, db, tables } = this.#record
    const oldest = new Date(clock.now() - MOST_DAYS * DAY_MS).toISOString()
    const table = { table: tables.firingLog.name, key: 'seq', at: 'created_at' }
    let dropped = await deleteOlder(db, table, before > oldest ? before : oldest, signal)
    const ids: string[] = await db(tables.workflows.name).pluck('id')
    for (const workflow_id of ids)
      for (const outcome of FIRING_OUTCOMES) {
        if (signal.aborted) return dropped
        dropped += await this.#prune({ workflow_id, outcome })
      }
    return dropped
  }

  async #prune(which: Pick<FiringRecord, 'workflow_id' | 'outcome'>): Promise<number> {
    const { db, tables } = this.#record
    const all = (on: Knex) => on(tables.firingLog.name).where(which)
    const [last] = await all(db).orderBy(ORDER).offset(MOST_FIRINGS).limit(1).select('created_at', 'seq')
    if (last === undefined) return 0
    const oldest = (on: Knex) => all(on).whereRaw('(created_at, seq) <= (?, ?)', [last.created_at, last.seq])
    return write(db, (transaction) => oldest(transaction).delete())
  }

  /** Never rejects. */
  flush(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = null
    const waiting = [...this.#waiting.values()].map((each) => ({ ...each, row: { ...each.row } }))
    this.#waiting = new Map()
    return this.#turns.run(() => (waiting.length > 0 ? this.#write(waiting) : Promise.resolve()))
  }

  async #write(waiting: readonly { row: Stored; isNew: boolean; isOnce: boolean }[]): Promise<void> {
    const { db, log, tables } = this.#record
    const workflows = tables.workflows
    try {
      await write(db, async (transaction) => {
        const id = [...new Set(waiting.map(({ row }) => row.workflow_id))]
        const found = await workflows.list({ where: { id }, order: ['id'], hold: true }, transaction)
        const types = new Map(found.map((workflow) => [workflow.id, workflow.trigger_config.type]))
        for (const { row, isNew, isOnce } of waiting) {
          const type = types.get(row.workflow_id)
          if (type === undefined) continue
          const { count, last_at, delivery } = row
          if (!isNew) await tables.firingLog.update(row.id, { count, last_at, delivery }, transaction)
          else if (!isOnce || !(await this.#has(row, transaction)))
            await tables.firingLog.insert({ ...row, trigger_type: row.trigger_type ?? type }, transaction)
        }
      })
    } catch (error) {
      // The next firing is a new record.
      this.#minutes.clear()
      log.warn({ firings: waiting.length, error: (error as Error).message }, 'failed to record firings of triggers')
    }
  }

  async #has({ workflow_id, outcome, created_at }: Stored, transaction: Knex): Promise<boolean> {
    return (await this.#record.tables.firingLog.find({ workflow_id, outcome, created_at }, transaction)) !== null
  }
}

const keyOf = ({ outcome, code, reason, trigger_type }: Omit<Untasked, 'at'>, at: string | undefined): string =>
  JSON.stringify([outcome, code ?? null, reason, trigger_type ?? null, at ?? null])

function shortened(reason: string): string {
  const text = storable(reason)
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text
}
