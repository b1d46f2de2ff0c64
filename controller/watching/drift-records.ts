// Drift records: the difference, its author, and how it ended.
import { randomUUID } from 'node:crypto'
import * as Type from 'typebox'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { timestamp, type Clock } from '../../platform/core/clock.ts'
import { groupBy } from '../../platform/core/group-by.ts'
import { isPostgres, write, type Knex } from '../../platform/database/database.ts'
import { conflict, invalid } from '../../platform/core/problem.ts'
import type { CursorAsked } from '../../platform/store/keyset.ts'
import type { Page } from '../../platform/store/page.ts'
import { table, type TableWorld } from '../../platform/store/table.ts'
import { isBelow } from '../../schemas/members/member-path.ts'
import type { Slice } from '../../schemas/operations/page.ts'
import { Drift, RESOLUTIONS, type DriftCounts, type DriftWriter } from '../../schemas/resource.ts'
import type { DriftFilter, PageAsked } from '../face.ts'
import { idOf } from '../reading/graph.ts'
import type { Writer } from '../reconciler.ts'
import type { Found, Resolution } from './drift-resolution.ts'

/** Limit on closed records in a list without a page; open ones are always included. */
const LISTED_CLOSED = 1000

/** Limit on the writers of a record: the first and the latest. */
const KEPT_WRITERS = 10

const TRIMMED_AT_ONCE = 500

const driftTable = (world: TableWorld) =>
  table(world, 'controller_drift', Drift, {
    what: 'drift record',
    private: {
      /** Digests distinguish secrets; null if the value is not part of the spec. */
      applied_digest: Type.Union([Type.String(), Type.Null()]),
      live_digest: Type.Union([Type.String(), Type.Null()]),
    },
    order: ['last_seen', 'id'],
  })

export type DriftRow = Drift & { applied_digest: string | null; live_digest: string | null }

export interface Findings {
  found: readonly Found[]
  writer(path: string): Promise<Writer | null>
  /** How drift ended that no longer exists. */
  resolution(row: DriftRow): Promise<Resolution>
}

type Named = Pick<Drift, 'kind' | 'name'>
type RecordsWorld = TableWorld & { clock: Clock }

export class DriftRecords {
  readonly #world: RecordsWorld
  readonly #table: ReturnType<typeof driftTable>
  /** By kind/name, so that a resource without drift needs no query. */
  readonly #open = new Map<string, DriftRow[]>()

  private constructor(world: RecordsWorld) {
    this.#world = world
    this.#table = driftTable(world)
  }

  static async load(world: RecordsWorld): Promise<DriftRecords> {
    const records = new DriftRecords(world)
    const open = await records.#table.list({ where: { resolution: null } })
    for (const [id, rows] of groupBy(open, idOf)) records.#open.set(id, rows)
    return records
  }

  openOf(kind: string, name: string): Drift[] {
    return (this.#open.get(`${kind}/${name}`) ?? []).map((row) => this.#table.record(row))
  }

  hasOpen(kind: string, name: string): boolean {
    return this.#open.has(`${kind}/${name}`)
  }

  /** Highest number of heals of one of the fields since then (RFC 3339). */
  async healedSince({ kind, name }: Named, paths: readonly string[], since: string): Promise<number> {
    const rows: { healed: number | string }[] = await this.#world
      .db(this.#table.name)
      .where({ kind, name, resolution: 'healed' })
      .whereIn('path', [...paths])
      .andWhere('last_seen', '>', since)
      .groupBy('path')
      .count('id as healed')
    return Math.max(0, ...rows.map(({ healed }) => Number(healed)))
  }

  openCount(): number {
    return [...this.#open.values()].reduce((sum, rows) => sum + rows.length, 0)
  }

  /** Open records first, each group newest first. Without a page: all open and the newest closed ones. */
  async list(filter: DriftFilter, asked: PageAsked): Promise<Page<Drift>> {
    const { offset, limit } = asked ?? { offset: 0, limit: undefined }
    const none: Page<DriftRow> = { items: [], total: 0 }
    const where = (open: boolean) => matching({ ...filter, open })
    const first = filter.open === false ? none : await this.#table.page({ where: where(true), offset, limit })
    const rest = {
      offset: Math.max(0, offset - first.total),
      limit: limit === undefined ? LISTED_CLOSED : limit - first.items.length,
    }
    const closed = filter.open === true ? none : await this.#table.page({ where: where(false), ...rest })
    // Closed between the queries: listed once, as open.
    const seen = new Set(first.items.map(({ id }) => id))
    const others = closed.items.filter(({ id }) => !seen.has(id))
    const items = [...first.items, ...others].map((row) => this.#table.record(row))
    return { items, total: first.total + closed.total - (closed.items.length - others.length) }
  }

  /** By `first_seen`, newest first: a record that is updated or closed keeps its place. */
  async slice(filter: DriftFilter, asked: CursorAsked): Promise<Slice<Drift, DriftCounts>> {
    const slice = await this.#table.listed({ where: matching(filter), order: ['first_seen', 'id'] }, asked)
    return { ...slice, counts: await this.#countsOf({ ...filter, open: undefined }) }
  }

  async #countsOf(filter: DriftFilter): Promise<DriftCounts> {
    const rows: { resolution: Drift['resolution']; many: number | string }[] = await this.#world
      .db(this.#table.name)
      .where(matching(filter))
      .groupBy('resolution')
      .select('resolution')
      .count({ many: '*' })
    const none = Object.fromEntries(['total', 'open', ...RESOLUTIONS].map((state) => [state, 0]))
    const counts = none as DriftCounts
    for (const { resolution, many } of rows) {
      counts[resolution ?? 'open'] = Number(many)
      counts.total += Number(many)
    }
    return counts
  }

  async byIds(ids: readonly string[]): Promise<Map<string, Drift>> {
    const rows = await this.#table.list({ where: { id: ids } })
    return new Map(rows.map((row) => [row.id, this.#table.record(row)]))
  }

  /** Throws 404 for an unknown id, 409 for a closed record. */
  async requireOpen(id: string): Promise<Drift> {
    const row = await this.#table.get(id)
    if (row.resolution === null) return this.#table.record(row)
    const what = [idOf(row), row.path].filter((text) => text !== '').join(' ')
    throw conflict(`drift record ${id} (${what}) is closed (${row.resolution}): there is nothing to revert`)
  }

  /**
   * Opens, updates and closes records of a resource. Returns added and changed ones; nothing if the resource has left
   * the inventory.
   */
  async record(resource: Named, { found, writer, resolution }: Findings): Promise<Drift[]> {
    const open = this.#open.get(idOf(resource)) ?? []
    const moved = found.filter((deviation) => !open.some((row) => isUnchanged(row, deviation)))
    const gone = open.filter((row) => !found.some((deviation) => deviation.path === row.path))
    if (moved.length === 0 && gone.length === 0) return []
    const fresh: DriftRow[] = []
    for (const deviation of moved) fresh.push(await this.#rowOf(resource, deviation, { open, gone, writer }))
    const ends: [id: string, Resolution][] = []
    for (const row of gone) {
      const continues = fresh.some((other) => isOtherGrain(row, other) || (other.path === '' && row.path !== ''))
      ends.push([row.id, continues ? 'superseded' : await resolution(row)])
    }
    if (!(await this.#write(resource, fresh, ends))) return []
    const kept = open.filter((row) => !gone.includes(row) && !fresh.some(({ id }) => id === row.id))
    if (kept.length + fresh.length === 0) this.#open.delete(idOf(resource))
    else this.#open.set(idOf(resource), [...kept, ...fresh])
    return fresh.map((row) => this.#table.record(row))
  }

  /** False, without writing, if the resource has left the inventory. */
  async #write({ kind, name }: Named, fresh: DriftRow[], ends: readonly [id: string, Resolution][]): Promise<boolean> {
    return write(this.#world.db, async (transaction) => {
      // Locked until commit, so that a concurrent removal closes these records afterwards.
      const entry = transaction('controller_inventory').where({ kind, name }).select('name')
      const owned = await (isPostgres(transaction) ? entry.forShare() : entry)
      if (owned.length === 0) return false
      await this.#table.put(fresh, transaction)
      const last_seen = timestamp(this.#world.clock)
      for (const [id, resolution] of ends) await this.#table.update(id, { resolution, last_seen }, transaction)
      return true
    })
  }

  /** Closes open records in the transaction that removes the resource. Call the returned function after the commit. */
  async prune(transaction: Knex.Transaction, resource: Named): Promise<() => void> {
    const { kind, name } = resource
    const end = { resolution: 'pruned', last_seen: timestamp(this.#world.clock) } as const
    await this.#table.update({ kind, name, resolution: null }, end, transaction)
    return () => void this.#open.delete(idOf(resource))
  }

  /** Older versions left records open for resources in no inventory. */
  async pruneForgotten(owned: { get(kind: string, name: string): unknown }): Promise<void> {
    const forgotten = [...this.#open.values()]
      .map((rows) => rows[0]!)
      .filter(({ kind, name }) => !owned.get(kind, name))
    for (const row of forgotten) (await write(this.#world.db, (transaction) => this.prune(transaction, row)))()
  }

  /** Deletes records closed before `before` (RFC 3339), in batches. Never deletes open ones. */
  async trim(before: string, signal?: AbortSignal): Promise<number> {
    for (let dropped = 0; ; await turnOfTheLoop()) {
      if (signal?.aborted) return dropped
      const old = (query: Knex.QueryBuilder) => void query.whereNotNull('resolution').andWhere('last_seen', '<', before)
      const batch = await this.#world
        .db(this.#table.name)
        .where(old)
        .orderBy('last_seen')
        .limit(TRIMMED_AT_ONCE)
        .pluck<string[]>('id')
      if (batch.length === 0) return dropped
      dropped += await this.#table.delete({ id: batch })
    }
  }

  /** Keeps the history of the same drift, also if it was reported for a parent or a part. */
  async #rowOf(resource: Named, deviation: Found, { open, gone, writer }: Known): Promise<DriftRow> {
    const present = open.find((row) => row.path === deviation.path)
    const before = present ?? gone.find((row) => isOtherGrain(row, deviation))
    const now = timestamp(this.#world.clock)
    const hand = present && isSameValue(present, deviation) ? null : await writer(deviation.path)
    const isKept = before && !hand && (before !== present || isSameValue(before, deviation))
    const writers = isKept ? before.writers : withHand(before?.writers ?? [], written(hand, now))
    const { actor = null, request_id = null, endpoint = null } = writers.at(-1) ?? {}
    const { kind, name } = resource
    return {
      id: present?.id ?? randomUUID(),
      kind,
      name,
      ...deviation,
      actor,
      request_id,
      endpoint,
      writers,
      first_seen: before?.first_seen ?? now,
      last_seen: now,
      resolution: null,
    }
  }
}

interface Known extends Pick<Findings, 'writer'> {
  open: readonly DriftRow[]
  gone: readonly DriftRow[]
}

/** `since` and `until` include drift that was open at any time between them. */
function matching({ kind, name, actor, open, since, until }: DriftFilter): (query: Knex.QueryBuilder) => void {
  const [from, to] = [storedTime('since', since), storedTime('until', until)]
  return (query) => {
    for (const [column, value] of Object.entries({ kind, name, actor }))
      if (value !== undefined) void query.where(column, value)
    if (open === true) void query.whereNull('resolution')
    if (open === false) void query.whereNotNull('resolution')
    if (to !== undefined) void query.where('first_seen', '<', to)
    if (from !== undefined) void query.where((each) => each.whereNull('resolution').orWhere('last_seen', '>=', from))
  }
}

/** The form of stored times, which compare as texts. Throws 400 for a leap second, which schemas accept. */
function storedTime(path: string, time: string | undefined): string | undefined {
  if (time === undefined) return undefined
  const ms = Date.parse(time)
  if (!Number.isNaN(ms)) return new Date(ms).toISOString()
  const message = `expected a time such as 2030-01-31T09:00:00Z; got "${time.slice(0, 60)}"`
  throw invalid(`${path}: ${message}`, [{ path, message, code: 'invalid-value' }])
}

function written(writer: Writer | null, now: string): DriftWriter {
  const { actor = null, requestId = null, endpoint = null, at = now } = writer ?? {}
  return { actor, request_id: requestId, endpoint, at }
}

/** Consecutive writes of one actor are one entry. Beyond the limit, the first writer is kept. */
function withHand(writers: readonly DriftWriter[], hand: DriftWriter): DriftWriter[] {
  const others = writers.at(-1)?.actor === hand.actor ? writers.slice(0, -1) : writers
  const all = [...others, hand]
  return all.length <= KEPT_WRITERS ? all : [all[0]!, ...all.slice(1 - KEPT_WRITERS)]
}

/** One path is a part of the other. */
function isOtherGrain(row: Pick<Drift, 'path'>, { path }: Pick<Drift, 'path'>): boolean {
  if (row.path === '' || path === '' || row.path === path) return false
  return isBelow(path, [row.path]) || isBelow(row.path, [path])
}

function isUnchanged(row: DriftRow, deviation: Found): boolean {
  return row.path === deviation.path && isSameValue(row, deviation) && sameValue(row.desired, deviation.desired)
}

/** Digests distinguish secrets. */
function isSameValue(row: DriftRow, { live, live_digest }: Found): boolean {
  return row.live_digest === null || live_digest === null ? sameValue(row.live, live) : row.live_digest === live_digest
}

function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}
