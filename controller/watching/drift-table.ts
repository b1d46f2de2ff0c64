// Drift records are written for many resources at once: hundreds of changes by hand a second are as many records.
import Type from 'typebox'
import { Batches, togetherOrAlone } from '../../platform/async/batches.ts'
import { timestamp, type Clock } from '../../platform/core/clock.ts'
import { isPostgres, write, type Knex } from '../../platform/database/database.ts'
import { table, type TableWorld } from '../../platform/store/table.ts'
import { Drift } from '../../schemas/resource.ts'
import { idOf } from '../reading/graph.ts'
import type { Resolution } from './drift-resolution.ts'

/** Resources whose records are written in one transaction. */
const KEPT_AT_ONCE = 128

export const driftTable = (world: TableWorld) =>
  table(world, 'controller_drift', Drift, {
    what: 'drift record',
    private: {
      id: Type.String(),
      /** Of the values that were found, secrets told apart; null for what is no member of a spec. */
      applied_digest: Type.Union([Type.String(), Type.Null()]),
      live_digest: Type.Union([Type.String(), Type.Null()]),
    },
    order: ['last_seen', 'id'],
  })

export type DriftRow = Drift & { id: string; applied_digest: string | null; live_digest: string | null }

/** What becomes of the open records of a resource. */
export interface Kept {
  resource: Pick<Drift, 'kind' | 'name'>
  fresh: readonly DriftRow[]
  ends: readonly [id: string, Resolution][]
}

export class DriftWrites {
  readonly #db: Knex
  readonly #clock: Clock
  readonly #table: ReturnType<typeof driftTable>
  readonly #gathered: Batches<Kept, boolean>

  constructor({ db, clock }: { db: Knex; clock: Clock }, of: ReturnType<typeof driftTable>) {
    this.#db = db
    this.#clock = clock
    this.#table = of
    this.#gathered = new Batches(KEPT_AT_ONCE, (some) => togetherOrAlone(some, (each) => this.#write(each)))
  }

  /** False, and nothing is written, where the resource has left the inventory. Two of one resource never at once. */
  async write(kept: Kept): Promise<boolean> {
    // Where writers do not wait for one another, each would hold rows that another waits for.
    return isPostgres(this.#db) ? (await this.#write([kept]))[0]! : this.#gathered.run(kept)
  }

  /** Of different resources, in one transaction. */
  async #write(some: readonly Kept[]): Promise<boolean[]> {
    const now = timestamp(this.#clock)
    return write(this.#db, async (transaction) => {
      const owned = await ownedOf(
        transaction,
        some.map(({ resource }) => resource),
      )
      const ours = some.filter(({ resource }) => owned.has(idOf(resource)))
      const rows = ours.flatMap(({ fresh }) => fresh)
      await this.#table.put(rows, transaction)
      for (const [id, end] of ours.flatMap(({ ends }) => ends))
        await this.#table.update(id, { resolution: end, last_seen: now }, transaction)
      return some.map(({ resource }) => owned.has(idOf(resource)))
    })
  }
}

/**
 * Those of the inventory, as kind/name. Held until the end of the transaction: what is forgotten meanwhile is forgotten
 * after it, and closes what it says.
 */
async function ownedOf(transaction: Knex.Transaction, resources: readonly Kept['resource'][]): Promise<Set<string>> {
  const owned = new Set<string>()
  for (const kind of new Set(resources.map((each) => each.kind))) {
    const names = resources.filter((each) => each.kind === kind).map(({ name }) => name)
    const query = transaction('controller_inventory').where({ kind }).whereIn('name', names).select('kind', 'name')
    for (const each of await (isPostgres(transaction) ? query.forShare() : query)) owned.add(idOf(each))
  }
  return owned
}
