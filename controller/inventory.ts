// The inventory: what we own, kept in memory and written through. It shrinks only on a confirmed delete.
import { write, type Knex } from '../platform/database.ts'
import type { Vault } from '../platform/vault.ts'
import type { Condition } from '../schemas/resource.ts'
import type { SourceSync } from '../schemas/source.ts'
import { idOf } from './plan.ts'

export interface Owned {
  kind: string
  name: string
  source: string
  file: string
  line: number
  column: number
  /** Chosen before a creation begins, so that a crash leads to observing it again and never to a second one. */
  liveId: string | null
  revision: string | null
  sync: SourceSync
  dependsOn: string[]
  /** The last good desired spec. */
  desired: any
  /** What was last applied; null while a first creation has begun and not been closed. */
  applied: any
  conditions: Condition[]
  /** Since when a step waits for the resource to be idle. */
  deferredSince: string | null
}

type Row = Record<string, any>

export class Inventory {
  readonly #db: Knex
  readonly #vault: Vault
  readonly #owned = new Map<string, Owned>()
  readonly #byLiveId = new Map<string, string>()

  private constructor(db: Knex, vault: Vault) {
    this.#db = db
    this.#vault = vault
  }

  static async load(db: Knex, vault: Vault): Promise<Inventory> {
    const inventory = new Inventory(db, vault)
    for (const row of await db('controller_inventory').select()) inventory.#remember(inventory.#fromRow(row))
    return inventory
  }

  all(): Owned[] {
    return [...this.#owned.values()]
  }

  ofSource(source: string): Owned[] {
    return this.all().filter((owned) => owned.source === source)
  }

  get(kind: string, name: string): Owned | undefined {
    return this.#owned.get(`${kind}/${name}`)
  }

  byLiveId(kind: string, liveId: string): Owned | undefined {
    return this.#owned.get(this.#byLiveId.get(`${kind}/${liveId}`) ?? '')
  }

  /** Adds or replaces entries in one write; memory follows the database, never the other way round. */
  async put(entries: readonly Owned[], alongside?: (transaction: Knex.Transaction) => Promise<unknown>): Promise<void> {
    await write(this.#db, async (transaction) => {
      for (let at = 0; at < entries.length; at += 50) {
        const rows = entries.slice(at, at + 50).map((owned) => this.#toRow(owned))
        await transaction('controller_inventory').insert(rows).onConflict(['kind', 'name']).merge()
      }
      await alongside?.(transaction)
    })
    for (const owned of entries) this.#remember(owned)
  }

  /** Forgets an entry: only after its deletion was confirmed. */
  async remove(
    kind: string,
    name: string,
    alongside?: (transaction: Knex.Transaction) => Promise<unknown>,
  ): Promise<void> {
    await write(this.#db, async (transaction) => {
      await transaction('controller_inventory').where({ kind, name }).delete()
      await alongside?.(transaction)
    })
    const owned = this.get(kind, name)
    if (owned?.liveId) this.#byLiveId.delete(`${kind}/${owned.liveId}`)
    this.#owned.delete(`${kind}/${name}`)
  }

  #remember(owned: Owned): void {
    const before = this.#owned.get(idOf(owned))
    if (before?.liveId) this.#byLiveId.delete(`${owned.kind}/${before.liveId}`)
    this.#owned.set(idOf(owned), owned)
    if (owned.liveId) this.#byLiveId.set(`${owned.kind}/${owned.liveId}`, idOf(owned))
  }

  #toRow(owned: Owned): Row {
    const { liveId, dependsOn, deferredSince, sync, desired, applied, conditions, ...plain } = owned
    return {
      ...plain,
      live_id: liveId,
      sync: JSON.stringify(sync),
      depends_on: JSON.stringify(dependsOn),
      desired: this.#vault.stringify(desired),
      applied: applied === null ? null : applied === desired ? SAME_AS_DESIRED : this.#vault.stringify(applied),
      conditions: JSON.stringify(conditions),
      deferred_since: deferredSince,
    }
  }

  #fromRow(row: Row): Owned {
    const desired = this.#vault.parse(row.desired)
    return {
      kind: row.kind,
      name: row.name,
      source: row.source,
      file: row.file,
      line: row.line,
      column: row.column,
      revision: row.revision,
      liveId: row.live_id,
      sync: JSON.parse(row.sync),
      dependsOn: JSON.parse(row.depends_on),
      desired,
      applied: row.applied === SAME_AS_DESIRED ? desired : row.applied === null ? null : this.#vault.parse(row.applied),
      conditions: JSON.parse(row.conditions),
      deferredSince: row.deferred_since,
    }
  }
}

/** Most of the time what is desired is what was applied: then the spec is stored, and held, once. */
const SAME_AS_DESIRED = '=desired'
