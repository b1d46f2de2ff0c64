// Owned resources, cached in memory and written through. An entry leaves only after a confirmed deletion.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { timestamp, type Clock } from '../../platform/core/clock.ts'
import { write, type Knex } from '../../platform/database/database.ts'
import type { TableWorld } from '../../platform/store/table.ts'
import type { Vault } from '../../platform/secrets/vault.ts'
import type { Owned, OwnedResources } from '../planning/ownership.ts'
import type { Lookup } from '../reconciler.ts'
import { sameSpec } from '../planning/masking.ts'
import type { DesiredResource } from '../reading/desired-state.ts'
import { noSuch } from '../../platform/core/problem.ts'
import { idOf, partsOf } from '../reading/graph.ts'

type Row = Record<string, any>
type InventoryWorld = TableWorld & { clock: Clock }
type Leaving = (transaction: Knex.Transaction, left: Pick<Owned, 'kind' | 'name'>) => Promise<() => void>

export class Inventory implements OwnedResources {
  readonly #db: Knex
  readonly #vault: Vault
  readonly #clock: Clock
  #leaving: Leaving | null = null
  /** By kind, then name (`#owned`) or live id (`#live`). */
  readonly #owned = new Map<string, Map<string, Owned>>()
  readonly #live = new Map<string, Map<string, Owned>>()

  private constructor({ db, vault, clock }: InventoryWorld) {
    this.#db = db
    this.#vault = vault
    this.#clock = clock
  }

  static async load(world: InventoryWorld): Promise<Inventory> {
    const { db } = world
    const inventory = new Inventory(world)
    for (const row of await db('controller_inventory').select()) inventory.#remember(inventory.#fromRow(row))
    return inventory
  }

  *all(): Generator<Owned, void> {
    for (const owned of this.#owned.values()) yield* owned.values()
  }

  ofSource(source: string): Owned[] {
    const found: Owned[] = []
    for (const owned of this.all()) if (owned.source === source) found.push(owned)
    return found
  }

  counts(): Record<string, number> {
    const kinds = [...this.#owned].filter(([, entries]) => entries.size > 0)
    return Object.fromEntries(kinds.map(([kind, entries]) => [kind, entries.size]))
  }

  get(kind: string, name: string): Owned | undefined {
    return this.#owned.get(kind)?.get(name)
  }

  find(id: string): Owned | undefined {
    return this.get(...partsOf(id))
  }

  /** Returns the current entry. Throws 404 if it has left. */
  require(owned: Pick<Owned, 'kind' | 'name'>): Owned {
    const now = this.get(owned.kind, owned.name)
    if (!now) throw noSuch('resource', idOf(owned), [])
    return now
  }

  byLiveId(kind: string, liveId: string): Owned | undefined {
    return this.#live.get(kind)?.get(liveId)
  }

  /** One transaction; memory is updated after the commit. */
  async put(changed: readonly Owned[], alongside?: (transaction: Knex.Transaction) => Promise<unknown>): Promise<void> {
    const entries = changed.map((owned) => this.#dated(owned))
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

  /** With the time of the last applied state, if that has changed. */
  #dated(owned: Owned): Owned {
    const before = this.get(owned.kind, owned.name)
    if (owned.applied === null || (before && sameSpec(before.applied, owned.applied))) return owned
    return { ...owned, appliedAt: timestamp(this.#clock), appliedRevision: owned.revision }
  }

  /** Replaces equal objects by the reader's, so that thousands of specs are in memory once. */
  intern(owned: Owned, { spec, sync }: Pick<DesiredResource, 'spec' | 'sync'>): void {
    if (sameSpec(owned.sync, sync)) owned.sync = sync
    if (sameSpec(owned.applied, spec)) owned.applied = spec
    if (sameSpec(owned.desired, spec)) owned.desired = spec
  }

  /** Call only after a confirmed deletion. */
  async remove(
    kind: string,
    name: string,
    alongside?: (transaction: Knex.Transaction) => Promise<unknown>,
  ): Promise<void> {
    const committed = await write(this.#db, async (transaction) => {
      await transaction('controller_inventory').where({ kind, name }).delete()
      await alongside?.(transaction)
      return this.#leaving?.(transaction, { kind, name })
    })
    this.#forget(kind, name)
    committed?.()
  }

  /** Runs in the transaction of each removal; the returned function runs after the commit. */
  onLeaving(listener: Leaving): void {
    this.#leaving = listener
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
    const { liveId, dependsOn, deferredSince, sync, labels, desired, applied, conditions, ...others } = owned
    const { contested, suspended, appliedAt, appliedRevision, ...plain } = others
    return {
      ...plain,
      applied_at: appliedAt ?? null,
      applied_revision: appliedRevision ?? null,
      live_id: liveId,
      labels: labels ? JSON.stringify(labels) : null,
      sync: JSON.stringify(sync),
      depends_on: JSON.stringify(dependsOn),
      desired: this.#vault.stringify(desired),
      applied: applied === null ? null : applied === desired ? SAME_AS_DESIRED : this.#vault.stringify(applied),
      conditions: JSON.stringify(conditions),
      deferred_since: deferredSince,
      owed: owned.owed ?? null,
      contested: contested ? JSON.stringify(contested) : null,
      suspended: suspended ? JSON.stringify(suspended) : null,
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
      labels: row.labels ? JSON.parse(row.labels) : undefined,
      dependsOn: JSON.parse(row.depends_on),
      desired,
      applied: row.applied === SAME_AS_DESIRED ? desired : row.applied === null ? null : this.#vault.parse(row.applied),
      appliedAt: row.applied_at,
      appliedRevision: row.applied_revision,
      conditions: JSON.parse(row.conditions),
      deferredSince: row.deferred_since,
      owed: row.owed ?? null,
      contested: row.contested ? JSON.parse(row.contested) : null,
      suspended: row.suspended ? JSON.parse(row.suspended) : null,
    }
  }
}

function membersOf(kinds: Map<string, Map<string, Owned>>, kind: string): Map<string, Owned> {
  let members = kinds.get(kind)
  if (!members) kinds.set(kind, (members = new Map()))
  return members
}

export function lookupIn(inventory: Inventory): Lookup {
  return {
    liveId: (kind, name) => inventory.get(kind, name)?.liveId ?? null,
    nameOf: (kind, liveId) => inventory.byLiveId(kind, liveId)?.name ?? null,
  }
}

/** An applied spec equal to the desired one is stored once. */
const SAME_AS_DESIRED = '=desired'
