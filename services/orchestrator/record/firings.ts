// When the trigger of a workflow fired last, fires next, and what keeps it from firing.
import { write, type Knex } from '../../../platform/database/database.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { now, type RecordWorld } from './world.ts'
import type { FiringRow } from './tables.ts'
import type { UnfiredRecord } from '../face.ts'

/** A running trigger, as far as its next firing goes. */
interface Scheduled {
  /** In milliseconds since 1970; null, and left out, where nobody can know. */
  next?(): number | null
}

const NEVER = { last_fired_at: null, last_error: null }

export class Firings {
  readonly #record: RecordWorld
  /** The rows of the table: read once, kept up with every write. */
  readonly #rows = new Map<string, FiringRow>()
  readonly #running = new Map<string, Scheduled>()

  constructor(record: RecordWorld) {
    this.#record = record
  }

  async load(): Promise<void> {
    for (const row of await this.#record.tables.firings.list({ order: ['workflow_id'] }))
      this.#rows.set(row.workflow_id, row)
  }

  /** Call in the transaction that takes the tasks on; the returned function once it has committed. */
  async recordFiring(transaction: Knex, ...workflowIds: string[]): Promise<() => void> {
    const last_fired_at = now(this.#record)
    const rows = workflowIds.map((workflow_id) => ({ workflow_id, last_fired_at, last_error: null }))
    if (rows.length > 0) await this.#record.tables.firings.put(rows, transaction)
    return () => {
      for (const row of rows) this.#rows.set(row.workflow_id, row)
    }
  }

  /** `last_error` null: nothing keeps it from firing any more. Never rejects: where the database does not take it, this daemon alone knows. */
  async recordError(workflow_id: string, last_error: string | null): Promise<void> {
    const { db, tables, log } = this.#record
    const before = this.#rows.get(workflow_id) ?? { workflow_id, ...NEVER }
    if (before.last_error === last_error) return
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
      log.warn({ workflow_id, error: (error as Error).message }, 'the error of a trigger was not kept')
    }
  }

  async forget(transaction: Knex, id: string): Promise<void> {
    await this.#record.tables.firings.delete(id, transaction)
    this.#rows.delete(id)
  }

  track(id: string, trigger: Scheduled): void {
    this.#running.set(id, trigger)
  }

  untrack(id: string): void {
    this.#running.delete(id)
  }

  /** The record with what is known of its trigger now. */
  shown(record: UnfiredRecord): WorkflowRecord {
    const next = this.#running.get(record.id)?.next?.() ?? null
    const { last_fired_at, last_error } = this.#rows.get(record.id) ?? NEVER
    const next_fire_at = next === null ? null : new Date(next).toISOString()
    // V8 keeps a shape for each object literal with a spread, and lists have thousands of them.
    return Object.assign({}, record, { next_fire_at, last_fired_at, last_error })
  }

  /** What keeps the trigger of a workflow from firing. */
  errorOf(workflowId: string): string | null {
    return this.#rows.get(workflowId)?.last_error ?? null
  }

  /** Workflows whose trigger cannot fire now. */
  get failing(): number {
    return [...this.#rows.values()].filter(({ last_error }) => last_error !== null).length
  }
}
