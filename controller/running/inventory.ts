// The inventory: what we own, kept in memory and written through. It shrinks only on a confirmed delete.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { write, type Knex } from '../../platform/database.ts'
import type { TableWorld } from '../../platform/store/table.ts'
import type { Vault } from '../../platform/vault.ts'
import type { Owned, OwnedResources } from '../planning/owned.ts'
import type { Lookup } from '../reconciler.ts'

type Row = Record<string, any>

export class Inventory implements OwnedResources {
  readonly #db: Knex
  readonly #vault: Vault
  /** By kind and name, and by kind and live id. */
  readonly #owned = new Map<string, Map<string, Owned>>()
  readonly #live = new Map<string, Map<string, Owned>>()

  private constructor(db: Knex, vault: Vault) {
    this.#db = db
    this.#vault = vault
  }

  static async load({ db, vault }: TableWorld): Promise<Inventory> {
    const inventory = new Inventory(db, vault)
    for (const row of await db('controller_inventory').select()) inventory.#remember(inventory.#fromRow(row))
    return inventory
  }

  all(): Owned[] {
    return [...this.#owned.values()].flatMap((owned) => [...owned.values()])
  }

  ofSource(source: string): Owned[] {
    return this.all().filter((owned) => owned.source === source)
  }

  get(kind: string, name: string): Owned | undefined {
    return this.#owned.get(kind)?.get(name)
  }

  /** By kind/name. */
  find(id: string): Owned | undefined {
    const slash = id.indexOf('/')
    return this.get(id.slice(0, slash), id.slice(slash + 1))
  }

  byLiveId(kind: string, liveId: string): Owned | undefined {
    return this.#live.get(kind)?.get(liveId)
  }

  /** Adds or replaces entries in one write; memory follows the database, never the other way round. */
  async put(entries: readonly Owned[], alongside?: (transaction: Knex.Transaction) => Promise<unknown>): Promise<void> {
    await write(this.#db, async (transaction) => {
      for (let at = 0; at < entries.length; at += 50) {
        const rows = entries.slice(at, at + 50).map((owned) => this.#toRow(owned))
        await transaction('controller_inventory').insert(rows).onConflict(['kind', 'name']).merge()
        await turnOfTheLoop()
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
    this.#forget(kind, name)
  }

  #remember(owned: Owned): void {
    const { kind, name, liveId } = owned
    const before = this.get(kind, name)
    if (before?.liveId && before.liveId !== liveId) this.#live.get(kind)!.delete(before.liveId)
    membersOf(this.#owned, kind).set(name, owned)
    if (liveId) membersOf(this.#live, kind).set(liveId, owned)
  }

  #forget(kind: string, name: string): void {
    const before = this.get(kind, name)
    if (before?.liveId) this.#live.get(kind)!.delete(before.liveId)
    this.#owned.get(kind)?.delete(name)
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

function membersOf<T>(kinds: Map<string, Map<string, T>>, kind: string): Map<string, T> {
  let members = kinds.get(kind)
  if (!members) kinds.set(kind, (members = new Map()))
  return members
}

/** Answers reconcilers out of the inventory. */
export function lookupIn(inventory: Inventory): Lookup {
  return {
    liveId: (kind, name) => inventory.get(kind, name)?.liveId ?? null,
    nameOf: (kind, liveId) => inventory.byLiveId(kind, liveId)?.name ?? null,
  }
}

/** Most of the time what is desired is what was applied: then the spec is stored, and held, once. */
const SAME_AS_DESIRED = '=desired'
