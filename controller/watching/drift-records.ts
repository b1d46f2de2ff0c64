// Drift records: where live left what was applied, who did it, and how it ended.
import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { timestamp, type Clock } from '../../platform/clock.ts'
import { write, type Knex } from '../../platform/database.ts'
import type { Page } from '../../platform/store/page.ts'
import { table, type TableWorld } from '../../platform/store/table.ts'
import { Drift } from '../../schemas/resource.ts'
import type { PageAsked } from '../face.ts'
import type { Deviation } from '../planning/drift.ts'
import { idOf } from '../reading/graph.ts'
import type { Writer } from '../reconciler.ts'

/** Resolved records kept for `GET /drift`, newest first. */
const KEPT_RESOLVED = 1000

const driftTable = (world: TableWorld) =>
  table(world, 'controller_drift', Drift, {
    what: 'drift record',
    private: { id: Type.String() },
    order: ['last_seen', 'id'],
  })

type DriftRow = Drift & { id: string }

export class DriftRecords {
  readonly #db: Knex
  readonly #clock: Clock
  readonly #table: ReturnType<typeof driftTable>
  /** Open records by kind/name, so that a resource without drift costs no query. */
  readonly #open = new Map<string, DriftRow[]>()

  private constructor(world: TableWorld & { clock: Clock }) {
    this.#db = world.db
    this.#clock = world.clock
    this.#table = driftTable(world)
  }

  static async load(world: TableWorld & { clock: Clock }): Promise<DriftRecords> {
    const records = new DriftRecords(world)
    for (const row of await records.#table.list({ where: { resolution: null } })) {
      const open = records.#open.get(idOf(row))
      if (open) open.push(row)
      else records.#open.set(idOf(row), [row])
    }
    return records
  }

  openOf(kind: string, name: string): Drift[] {
    return (this.#open.get(`${kind}/${name}`) ?? []).map((row) => this.#table.record(row))
  }

  hasOpen(kind: string, name: string): boolean {
    return this.#open.has(`${kind}/${name}`)
  }

  openCount(): number {
    return [...this.#open.values()].reduce((sum, rows) => sum + rows.length, 0)
  }

  /** Newest first; without a page as many as resolved ones are kept. */
  async list({ kind, name, open }: DriftFilter, asked: PageAsked): Promise<Page<Drift>> {
    const where = { kind, name, ...(open ? { resolution: null } : {}) }
    const { items, total } = await this.#table.page({ where, ...(asked ?? { limit: KEPT_RESOLVED, offset: 0 }) })
    return { items: items.map((row) => this.#table.record(row)), total }
  }

  /**
   * Makes the open records of a resource say what was just found: new ones are added with their writer, moved ones
   * updated, vanished ones closed as `resolution`. Returns what was added or moved.
   */
  async record(
    { kind, name }: Pick<Drift, 'kind' | 'name'>,
    found: readonly Deviation[],
    writer: (path: string) => Promise<Writer | null>,
    resolution: NonNullable<Drift['resolution']>,
  ): Promise<Drift[]> {
    const open = this.#open.get(`${kind}/${name}`) ?? []
    const moved = found.filter((deviation) => !open.some((row) => saysTheSame(row, deviation)))
    const gone = open.filter((row) => !found.some((deviation) => deviation.path === row.path))
    if (moved.length === 0 && gone.length === 0) return []
    const now = timestamp(this.#clock)
    const fresh = await Promise.all(
      moved.map(async (deviation): Promise<DriftRow> => {
        const before = open.find((row) => row.path === deviation.path)
        return {
          id: before?.id ?? randomUUID(),
          kind,
          name,
          ...deviation,
          ...attributed(await writer(deviation.path)),
          first_seen: before?.first_seen ?? now,
          last_seen: now,
          resolution: null,
        }
      }),
    )
    await write(this.#db, async (transaction) => {
      await this.#table.put(fresh, transaction)
      if (gone.length === 0) return
      await this.#table.update({ id: gone.map(({ id }) => id) }, { resolution, last_seen: now }, transaction)
      await this.#trim(transaction)
    })
    const kept = open.filter((row) => !gone.includes(row) && !fresh.some(({ id }) => id === row.id))
    if (kept.length + fresh.length === 0) this.#open.delete(`${kind}/${name}`)
    else this.#open.set(`${kind}/${name}`, [...kept, ...fresh])
    return fresh.map((row) => this.#table.record(row))
  }

  /** Drops the oldest resolved records past the number kept. */
  async #trim(transaction: Knex.Transaction): Promise<void> {
    const resolved = () => transaction(this.#table.name).whereNotNull('resolution')
    const oldest = await resolved().orderBy('last_seen', 'desc').offset(KEPT_RESOLVED).limit(1).first('last_seen')
    if (oldest) await resolved().andWhere('last_seen', '<=', oldest.last_seen).delete()
  }
}

interface DriftFilter {
  kind?: string
  name?: string
  open?: boolean
}

function attributed(writer: Writer | null): Pick<Drift, 'actor' | 'request_id' | 'endpoint'> {
  return { actor: writer?.actor ?? null, request_id: writer?.requestId ?? null, endpoint: writer?.endpoint ?? null }
}

function saysTheSame(row: Drift, { path, live, desired }: Deviation): boolean {
  return row.path === path && sameValue(row.live, live) && sameValue(row.desired, desired)
}

function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}
