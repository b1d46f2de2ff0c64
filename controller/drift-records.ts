// Drift records: where live left what was applied, who did it, and how it ended.
import { randomUUID } from 'node:crypto'
import { timestamp, type Clock } from '../platform/clock.ts'
import { write, type Knex } from '../platform/database.ts'
import type { Drift } from '../schemas/resource.ts'
import type { Writer } from './reconciler.ts'

/** A deviation found by an observation; its values may be shown. */
export interface Deviation {
  path: string
  desired: unknown
  live: unknown
  last_applied: unknown
}

/** Resolved records kept for `GET /drift`, newest first. */
const KEPT_RESOLVED = 1000

export class DriftRecords {
  readonly #db: Knex
  readonly #clock: Clock
  /** Open records by kind/name, so that a resource without drift costs no query. */
  readonly #open = new Map<string, { id: string; drift: Drift }[]>()

  private constructor(db: Knex, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  static async load(db: Knex, clock: Clock): Promise<DriftRecords> {
    const records = new DriftRecords(db, clock)
    for (const row of await db('controller_drift').whereNull('resolution'))
      records.#openOf(row.kind, row.name).push({ id: row.id, drift: fromRow(row) })
    return records
  }

  openOf(kind: string, name: string): Drift[] {
    return (this.#open.get(`${kind}/${name}`) ?? []).map((entry) => entry.drift)
  }

  openCount(): number {
    return [...this.#open.values()].reduce((sum, entries) => sum + entries.length, 0)
  }

  async list(filter: { kind?: string; name?: string; open?: boolean }): Promise<Drift[]> {
    const query = this.#db('controller_drift').orderBy('last_seen', 'desc').limit(KEPT_RESOLVED)
    if (filter.kind) void query.where('kind', filter.kind)
    if (filter.name) void query.where('name', filter.name)
    if (filter.open) void query.whereNull('resolution')
    return (await query).map(fromRow)
  }

  /**
   * Makes the open records of a resource say what was just found: new ones are added with their writer, moved ones
   * updated, vanished ones closed as `resolution`. Returns what was added or moved.
   */
  async record(
    kind: string,
    name: string,
    found: readonly Deviation[],
    writer: (path: string) => Promise<Writer | null>,
    resolution: NonNullable<Drift['resolution']>,
  ): Promise<Drift[]> {
    const open = this.#openOf(kind, name)
    const now = timestamp(this.#clock)
    const moved = found.filter(
      (deviation) =>
        !open.some(
          ({ drift }) =>
            drift.path === deviation.path &&
            sameValue(drift.live, deviation.live) &&
            sameValue(drift.desired, deviation.desired),
        ),
    )
    const gone = open.filter(({ drift }) => !found.some((deviation) => deviation.path === drift.path))
    if (moved.length === 0 && gone.length === 0) return []
    const fresh = await Promise.all(
      moved.map(async (deviation) => ({
        id: open.find(({ drift }) => drift.path === deviation.path)?.id ?? randomUUID(),
        drift: {
          kind,
          name,
          ...deviation,
          ...attributed(await writer(deviation.path)),
          first_seen: now,
          last_seen: now,
          resolution: null,
        } as Drift,
      })),
    )
    for (const entry of fresh) entry.drift.first_seen = open.find(({ id }) => id === entry.id)?.drift.first_seen ?? now
    await write(this.#db, async (transaction) => {
      if (fresh.length > 0) await transaction('controller_drift').insert(fresh.map(toRow)).onConflict('id').merge()
      if (gone.length > 0)
        await transaction('controller_drift')
          .whereIn(
            'id',
            gone.map(({ id }) => id),
          )
          .update({ resolution, last_seen: now })
    })
    this.#open.set(`${kind}/${name}`, [
      ...open.filter((entry) => !gone.includes(entry) && !fresh.some(({ id }) => id === entry.id)),
      ...fresh,
    ])
    if (this.openOf(kind, name).length === 0) this.#open.delete(`${kind}/${name}`)
    return fresh.map((entry) => entry.drift)
  }

  /** Drops the oldest resolved records past the number kept. */
  async trim(): Promise<void> {
    const oldest = await this.#db('controller_drift')
      .whereNotNull('resolution')
      .orderBy('last_seen', 'desc')
      .offset(KEPT_RESOLVED)
      .limit(1)
      .first('last_seen')
    if (oldest)
      await this.#db('controller_drift')
        .whereNotNull('resolution')
        .andWhere('last_seen', '<=', oldest.last_seen)
        .delete()
  }

  #openOf(kind: string, name: string): { id: string; drift: Drift }[] {
    const key = `${kind}/${name}`
    if (!this.#open.has(key)) this.#open.set(key, [])
    return this.#open.get(key)!
  }
}

function attributed(writer: Writer | null): Pick<Drift, 'actor' | 'request_id' | 'endpoint'> {
  return { actor: writer?.actor ?? null, request_id: writer?.requestId ?? null, endpoint: writer?.endpoint ?? null }
}

function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}

function toRow({ id, drift }: { id: string; drift: Drift }): Record<string, unknown> {
  return {
    id,
    ...drift,
    desired: JSON.stringify(drift.desired ?? null),
    live: JSON.stringify(drift.live ?? null),
    last_applied: JSON.stringify(drift.last_applied ?? null),
  }
}

function fromRow({ id: _, ...row }: Record<string, any>): Drift {
  return {
    ...(row as Drift),
    desired: JSON.parse(row.desired),
    live: JSON.parse(row.live),
    last_applied: JSON.parse(row.last_applied),
  }
}
