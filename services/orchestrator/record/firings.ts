// When the trigger of a workflow fired last, fires next, and what keeps it from firing.
import { write, type Knex } from '../../../platform/database/database.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { now, type RecordWorld } from './world.ts'
import type { FiringRow } from './tables.ts'
import type { UnfiredRecord } from '../face.ts'

/** What a workflow's record shows of it. */
type Shown = Pick<WorkflowRecord, 'next_fire_at' | 'last_fired_at' | 'last_error'>

/** A running trigger, as far as its next firing goes. */
interface Scheduled {
  /** In milliseconds since 1970; null, and left out, where nobody can know. */
  next?(): number | null
}

const NEVER = { last_fired_at: null, last_error: null }

export class Firings {
  /** The rows of the table: read once, kept up with every write. */
  readonly #rows = new Map<string, FiringRow>()
  readonly #running = new Map<string, Scheduled>()
  /** The same record stands for the same facts: who keeps something by it keeps it rightly. */
  readonly #shown = new WeakMap<UnfiredRecord, WorkflowRecord>()

  async load({ tables }: Pick<RecordWorld, 'tables'>): Promise<void> {
    for (const row of await tables.firings.list({ order: ['workflow_id'] })) this.#rows.set(row.workflow_id, row)
  }

  /** Call in the transaction that takes the tasks on; the returned function once it has committed. */
  async fired(service: RecordWorld, transaction: Knex, ...workflowIds: string[]): Promise<() => void> {
    const last_fired_at = now(service)
    const rows = workflowIds.map((workflow_id) => ({ workflow_id, last_fired_at, last_error: null }))
    if (rows.length > 0) await service.tables.firings.put(rows, transaction)
    return () => {
      for (const row of rows) this.#rows.set(row.workflow_id, row)
    }
  }

  /** `last_error` null: nothing keeps it from firing any more. Never rejects: where the database does not take it, this daemon alone knows. */
  async failed(service: RecordWorld, workflow_id: string, last_error: string | null): Promise<void> {
    const before = this.#rows.get(workflow_id) ?? { workflow_id, ...NEVER }
    if (before.last_error === last_error) return
    const row = { ...before, last_error }
    this.#rows.set(workflow_id, row)
    try {
      const kept = await write(service.db, async (transaction) => {
        if ((await service.tables.workflows.find(workflow_id, transaction)) === null) return false
        await service.tables.firings.put([row], transaction)
        return true
      })
      if (!kept) this.#rows.delete(workflow_id)
    } catch (error) {
      service.log.warn({ workflow_id, error: (error as Error).message }, 'the error of a trigger was not kept')
    }
  }

  async forget({ tables }: RecordWorld, transaction: Knex, id: string): Promise<void> {
    await tables.firings.delete(id, transaction)
    this.#rows.delete(id)
  }

  runs(id: string, trigger: Scheduled): void {
    this.#running.set(id, trigger)
  }

  stopped(id: string): void {
    this.#running.delete(id)
  }

  /** The record with what is known of its trigger now. */
  shown(record: UnfiredRecord): WorkflowRecord {
    const facts = this.#factsOf(record.id)
    const before = this.#shown.get(record)
    if (before && same(before, facts)) return before
    // Of each spread object V8 keeps a description of its own, and there are thousands.
    const shown: WorkflowRecord = Object.assign({}, record, facts)
    this.#shown.set(record, shown)
    return shown
  }

  /** What keeps the trigger of a workflow from firing. */
  errorOf(workflowId: string): string | null {
    return this.#rows.get(workflowId)?.last_error ?? null
  }

  /** Workflows whose trigger cannot fire now. */
  get failing(): number {
    return [...this.#rows.values()].filter(({ last_error }) => last_error !== null).length
  }

  #factsOf(id: string): Shown {
    const next = this.#running.get(id)?.next?.() ?? null
    const { last_fired_at, last_error } = this.#rows.get(id) ?? NEVER
    return { next_fire_at: next === null ? null : new Date(next).toISOString(), last_fired_at, last_error }
  }
}

const same = (one: Shown, other: Shown): boolean =>
  one.next_fire_at === other.next_fire_at &&
  one.last_fired_at === other.last_fired_at &&
  one.last_error === other.last_error
