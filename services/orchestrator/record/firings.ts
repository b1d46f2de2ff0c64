import { write, type Knex } from '../../../platform/database/database.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import type { WebhookFacts } from '../../../schemas/workflow/firing.ts'
import type { FiringLog } from './firing-log.ts'
import { now, type RecordWorld } from './world.ts'
import type { DispatchRow, FiringRow } from './tables.ts'
import type { UnfiredRecord } from '../face.ts'

interface Scheduled {
  /** Milliseconds since 1970; null if unknown. */
  next?(): number | null
}

const NEVER = { last_fired_at: null, last_error: null }

export class Firings {
  readonly #record: RecordWorld
  readonly #log: FiringLog
  /** Cache of the table. */
  readonly #rows = new Map<string, FiringRow>()
  readonly #running = new Map<string, Scheduled>()

  constructor(record: RecordWorld, log: FiringLog) {
    this.#record = record
    this.#log = log
  }

  async load(): Promise<void> {
    for (const row of await this.#record.tables.firings.list({ order: ['workflow_id'] }))
      this.#rows.set(row.workflow_id, row)
  }

  /** Call in the transaction that stores the dispatches; call the result after the commit. */
  async recordFiring(
    transaction: Knex,
    dispatches: readonly DispatchRow[],
    delivery: WebhookFacts | null = null,
  ): Promise<() => void> {
    const last_fired_at = now(this.#record)
    const ids = [...new Set(dispatches.map(({ workflow_id }) => workflow_id))]
    const rows = ids.map((workflow_id) => ({ workflow_id, last_fired_at, last_error: null }))
    if (rows.length > 0) await this.#record.tables.firings.put(rows, transaction)
    await this.#log.addTasks(transaction, dispatches, { delivery })
    return () => {
      for (const row of rows) this.#rows.set(row.workflow_id, row)
    }
  }

  /** Null clears the error. Never rejects: if the write fails, the error is kept in memory. */
  async recordError(workflow_id: string, last_error: string | null): Promise<void> {
    const { db, tables, log } = this.#record
    const before = this.#rows.get(workflow_id) ?? { workflow_id, ...NEVER }
    if (before.last_error === last_error) return
    if (last_error !== null) this.#log.add(workflow_id, { outcome: 'failed', reason: last_error })
    const row = { ...before, last_error }
    this.#rows.set(workflow_id, row)
    try {
      const kept = await write(db, async (transaction) => {
        if ((await tables.workflows.find(workflow_id, transaction)) === null) return false
        await tables.firings.put([row], transaction)
        return true
      })
      if (!kept) this.#rows.delete(workflow_id)
    } catch (error) {
      log.warn({ workflow_id, error: (error as Error).message }, 'failed to store a trigger error')
    }
  }

  async forget(transaction: Knex, id: string): Promise<void> {
    await this.#record.tables.firings.delete(id, transaction)
    await this.#log.forget(transaction, id)
    this.#rows.delete(id)
  }

  track(id: string, trigger: Scheduled): void {
    this.#running.set(id, trigger)
  }

  untrack(id: string): void {
    this.#running.delete(id)
  }

  /** Milliseconds since 1970; null if unknown. */
  nextOf(workflowId: string): number | null {
    return this.#running.get(workflowId)?.next?.() ?? null
  }

  shown(record: UnfiredRecord): WorkflowRecord {
    const next = this.nextOf(record.id)
    const { last_fired_at, last_error } = this.#rows.get(record.id) ?? NEVER
    const next_fire_at = next === null ? null : new Date(next).toISOString()
    // A spread would create a hidden class in V8, for thousands of records.
    return Object.assign({}, record, { next_fire_at, last_fired_at, last_error })
  }

  errorOf(workflowId: string): string | null {
    return this.#rows.get(workflowId)?.last_error ?? null
  }

  get failing(): number {
    return [...this.#rows.values()].filter(({ last_error }) => last_error !== null).length
  }
}
