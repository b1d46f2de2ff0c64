// Changes that no digest has reported yet: a run that was cut short leaves them to the next one.
import * as Type from 'typebox'
import { write, type Knex } from '../../../platform/database/database.ts'
import type { World } from '../../../platform/service/world.ts'
import { table } from '../../../platform/store/table.ts'
import { TRANSITIONS } from '../migrations.ts'

const TransitionRow = Type.Object({ repository_key: Type.String(), line: Type.String() })

export class Journal {
  readonly #db: Knex
  readonly #key: string
  readonly #rows
  /** Lines of earlier runs. */
  #before: ReadonlySet<string> = new Set()

  /** `key`: of the repository. */
  constructor(world: Pick<World, 'db' | 'vault'>, key: string) {
    this.#db = world.db
    this.#key = key
    this.#rows = table(world, TRANSITIONS, TransitionRow, { what: 'transition', key: ['repository_key', 'line'] })
  }

  /** Reads the lines that are left, oldest first. */
  async read(): Promise<string[]> {
    const order = [{ column: 'seq', order: 'asc' as const }]
    const rows = await this.#rows.list({ where: { repository_key: this.#key }, order })
    this.#before = new Set(rows.map(({ line }) => line))
    return [...this.#before]
  }

  /** Before the effect, so that a crash after it loses no line. */
  async add(lines: readonly string[]): Promise<void> {
    const added = lines.filter((line) => !this.#before.has(line))
    if (added.length > 0) await this.#rows.put(added.map((line) => ({ repository_key: this.#key, line })))
  }

  /** Takes back lines of changes that were not made. */
  async remove(lines: readonly string[]): Promise<void> {
    const removed = lines.filter((line) => !this.#before.has(line))
    if (removed.length > 0) await this.#delete(removed)
  }

  async clear(): Promise<void> {
    await this.#delete(null)
  }

  async #delete(lines: readonly string[] | null): Promise<void> {
    await write(this.#db, (transaction) => {
      const rows = transaction(TRANSITIONS).where({ repository_key: this.#key })
      return (lines === null ? rows : rows.whereIn('line', [...lines])).delete()
    })
  }
}
