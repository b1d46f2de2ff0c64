// Per kind, the position up to which changes were read: the next daemon resumes there.
import { write, type Knex } from '../../platform/database/database.ts'
import type { Clock, Timer } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log/log.ts'

const TABLE = 'controller_cursors'

/** Delay before changed cursors are saved; repeated events are harmless. */
const WRITE_MS = 1000

interface Parts {
  db: Knex
  clock: Clock
  log: Log
}

export class Cursors {
  readonly #parts: Parts
  readonly #heard = new Map<string, number>()
  readonly #written = new Map<string, number>()
  /** Cursor before the first unchecked change, by kind/name. */
  readonly #open = new Map<string, number>()
  #timer: Timer | null = null

  private constructor(parts: Parts) {
    this.#parts = parts
  }

  static async load(parts: Parts): Promise<Cursors> {
    const cursors = new Cursors(parts)
    for (const { kind, cursor } of await parts.db(TABLE).select('kind', 'cursor')) {
      cursors.#heard.set(kind, Number(cursor))
      cursors.#written.set(kind, Number(cursor))
    }
    return cursors
  }

  of(kind: string): number | null {
    return this.#heard.get(kind) ?? null
  }

  /** `id`: resource to check, as kind/name; null if none. */
  recordHeard(kind: string, cursor: number, id: string | null): void {
    if (id !== null && !this.#open.has(id)) this.#open.set(id, cursor - 1)
    if (cursor > (this.#heard.get(kind) ?? -1)) this.#heard.set(kind, cursor)
    this.#scheduleSave()
  }

  recordObserved(id: string): void {
    if (this.#open.delete(id)) this.#scheduleSave()
  }

  /** Unchecked changes will be delivered again. */
  async save(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = null
    const rows = [...this.#heard].flatMap(([kind, heard]) => {
      const open = [...this.#open].filter(([id]) => id.startsWith(`${kind}/`)).map(([, before]) => before)
      const cursor = Math.min(heard, ...open)
      return cursor === this.#written.get(kind) ? [] : [{ kind, cursor }]
    })
    if (rows.length === 0) return
    await write(this.#parts.db, (transaction) => transaction(TABLE).insert(rows).onConflict('kind').merge())
    for (const { kind, cursor } of rows) this.#written.set(kind, cursor)
  }

  #scheduleSave(): void {
    this.#timer ??= this.#parts.clock.after(WRITE_MS, () => {
      this.save().catch((error: Error) =>
        this.#parts.log.warn({ error: error.message }, 'failed to save change cursors'),
      )
    })
  }
}
