// Merges and restacks in progress, kept before their effect: a run after a crash finishes them.
import * as Type from 'typebox'
import type { World } from '../../../platform/service/world.ts'
import { table } from '../../../platform/store/table.ts'
import type { Intent } from '../decision/contract.ts'
import { INTENTS } from '../migrations.ts'

const IntentRow = Type.Object({
  repository_key: Type.String(),
  kind: Type.Enum(['merge', 'restack']),
  number: Type.Integer(),
  head: Type.String(),
  is_conflicted: Type.Boolean(),
})

export class Intents {
  readonly #key: string
  readonly #rows

  /** `key`: of the repository. */
  constructor(world: Pick<World, 'db' | 'vault'>, key: string) {
    this.#key = key
    this.#rows = table(world, INTENTS, IntentRow, { what: 'intent', key: ['repository_key', 'kind', 'number'] })
  }

  /** Oldest first. */
  async list(): Promise<Intent[]> {
    const order = [{ column: 'seq', order: 'asc' as const }]
    const rows = await this.#rows.list({ where: { repository_key: this.#key }, order })
    return rows.map(({ kind, number, head, is_conflicted: isConflicted }) => ({ kind, number, head, isConflicted }))
  }

  /** Replaces one of the same kind and number. */
  async open({ kind, number, head, isConflicted = false }: Intent): Promise<void> {
    await this.#rows.put([{ repository_key: this.#key, kind, number, head, is_conflicted: isConflicted }])
  }

  async close({ kind, number }: Intent): Promise<void> {
    await this.#rows.delete({ repository_key: this.#key, kind, number })
  }
}
