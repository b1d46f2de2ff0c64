// Means of each minute, in the database, so that a restart keeps them.
import { write, type Knex } from '../../platform/database/database.ts'
import type { DiskSpace } from '../../schemas/monitor/disk.ts'
import type { SystemMetrics } from '../../schemas/monitor/metrics.ts'
import type { Figures } from './collector.ts'

export const MINUTE_MS = 60_000
const KEPT_MINUTES = 48 * 60
/** Collections per minute that count; requests can cause any number. */
const MOST_PER_MINUTE = 240

/** While the database fails. */
const MOST_PENDING = 60

const TABLE = 'monitor_samples'

export interface Sample {
  /** Since 1970. */
  minute: number
  figures: Figures
  /** Of the data folder; null if unknown. */
  space: DiskSpace | null
}

interface OpenMinute {
  minute: number
  figures: Figures[]
  space: DiskSpace | null
}

export async function createSamplesTable(db: Knex): Promise<void> {
  await db.schema.createTable(TABLE, (columns) => {
    columns.integer('minute').primary()
    columns.text('sample').notNullable()
  })
}

export class Samples {
  readonly #db: Knex
  #open: OpenMinute | null = null
  /** Ended minutes that are not stored yet, oldest first. */
  #pending: Sample[] = []

  constructor(db: Knex) {
    this.#db = db
  }

  /** Ends a minute when the first collection of another one arrives; `store` writes it. */
  add({ collected_at, ...figures }: SystemMetrics, space: DiskSpace | null): void {
    const minute = Math.floor(Date.parse(collected_at) / MINUTE_MS)
    if (this.#open?.minute !== minute) this.end()
    const open = (this.#open ??= { minute, figures: [], space })
    if (open.figures.length < MOST_PER_MINUTE) open.figures.push(figures)
    open.space = space
  }

  /** Ends the current minute. */
  end(): void {
    if (this.#open) this.#pending = [...this.#pending, sampleOf(this.#open)].slice(-MOST_PENDING)
    this.#open = null
  }

  /** Writes all ended minutes; after a failure, the next call does. */
  async store(): Promise<void> {
    const storing = this.#pending
    const last = storing.at(-1)
    if (!last) return
    await write(this.#db, async (transaction) => {
      // A minute is there twice if the clock went back.
      const minutes = new Map(storing.map((sample) => [sample.minute, sample]))
      const rows = [...minutes.values()].map(({ minute, ...sample }) => ({ minute, sample: JSON.stringify(sample) }))
      await transaction(TABLE).insert(rows).onConflict('minute').merge()
      await transaction(TABLE)
        .where('minute', '<=', last.minute - KEPT_MINUTES)
        .delete()
    })
    this.#pending = this.#pending.filter((each) => !storing.includes(each))
  }

  /** Oldest first; both minutes are included. */
  async between(from: number, to: number): Promise<Sample[]> {
    // Before the query: a minute that is stored meanwhile is in both.
    const held = [...this.#pending, ...(this.#open ? [sampleOf(this.#open)] : [])]
    const rows: { minute: number; sample: string }[] = await this.#db(TABLE)
      .whereBetween('minute', [from, to])
      .orderBy('minute')
      .select('minute', 'sample')
    const found = new Map(rows.map(({ minute, sample }) => [minute, { minute, ...JSON.parse(sample) } as Sample]))
    for (const sample of held) if (sample.minute >= from && sample.minute <= to) found.set(sample.minute, sample)
    return [...found.values()].sort((one, other) => one.minute - other.minute)
  }
}

const sampleOf = ({ minute, figures, space }: OpenMinute): Sample => ({ minute, figures: meanOf(figures), space })

/** Means of CPU, memory and load without single cores; the last state of the disks. */
export function meanOf(all: readonly Figures[]): Figures {
  const { cpu, memory, disks } = all.at(-1)!
  const mean = (read: (each: Figures) => number) => all.reduce((sum, each) => sum + read(each), 0) / all.length
  const share = (read: (each: Figures) => number) => Math.round(mean(read) * 100) / 100
  return {
    cpu: { usage_percent: share((each) => each.cpu.usage_percent), core_count: cpu.core_count, per_core: [] },
    memory: {
      total_bytes: memory.total_bytes,
      used_bytes: Math.round(mean((each) => each.memory.used_bytes)),
      available_bytes: Math.round(mean((each) => each.memory.available_bytes)),
      usage_percent: share((each) => each.memory.usage_percent),
    },
    disks,
    load_average: {
      one: share((each) => each.load_average.one),
      five: share((each) => each.load_average.five),
      fifteen: share((each) => each.load_average.fifteen),
    },
  }
}
