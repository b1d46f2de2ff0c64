// Merges in progress, kept before their effect: a run after a crash or an error finishes them.
import * as Type from 'typebox'
import type { World } from '../../../platform/service/world.ts'
import { table } from '../../../platform/store/table.ts'
import type { Intent } from '../decision/contract.ts'
import { INTENTS } from '../migrations.ts'

const IntentRow = Type.Object({
  repository_key: Type.String(),
  kind: Type.Literal('merge'),
  number: Type.Integer(),
  head: Type.String(),
  is_reported: Type.Boolean(),
  /** Milliseconds by the clock of the forge. */
  at: Type.Number(),
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
    const rows = await this.#rows.list({ where: { repository_key: this.#key, kind: 'merge' }, order })
    return rows.map(({ number, head, at, is_reported: isReported }) => ({ number, head, at, isReported }))
  }

  /** Replaces one of the same number. */
  async open({ number, head, at, isReported = false }: Intent): Promise<void> {
    await this.#rows.put([{ repository_key: this.#key, kind: 'merge', number, head, at, is_reported: isReported }])
  }

  async close({ number }: Intent): Promise<void> {
    await this.#rows.delete({ repository_key: this.#key, kind: 'merge', number })
  }
}
