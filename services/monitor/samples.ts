// Means of each minute, in the database, so that a restart keeps them.
import { write, type Knex } from '../../platform/database/database.ts'
import type { DiskSpace } from '../../schemas/monitor/disk.ts'
import type { SystemMetrics } from '../../schemas/monitor/metrics.ts'
import type { Figures } from './collector.ts'

export const MINUTE_MS = 60_000
const KEPT_MINUTES = 48 * 60
/** Collections per minute that count; requests can cause any number. */
const MOST_PER_MINUTE = 240

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

  constructor(db: Knex) {
    this.#db = db
  }

  /** Stores the previous minute when the first collection of another one arrives. */
  async add({ collected_at, ...figures }: SystemMetrics, space: DiskSpace | null): Promise<void> {
    const minute = Math.floor(Date.parse(collected_at) / MINUTE_MS)
    const before = this.#open
    if (before?.minute === minute) {
      if (before.figures.length < MOST_PER_MINUTE) before.figures.push(figures)
      before.space = space
      return
    }
    this.#open = { minute, figures: [figures], space }
    if (before) await this.#store(before)
  }

  /** Stores the current minute; call before the end. */
  async close(): Promise<void> {
    const before = this.#open
    this.#open = null
    if (before) await this.#store(before)
  }

  /** Oldest first; both minutes are included. */
  async between(from: number, to: number): Promise<Sample[]> {
    const rows: { minute: number; sample: string }[] = await this.#db(TABLE)
      .whereBetween('minute', [from, to])
      .orderBy('minute')
      .select('minute', 'sample')
    const stored = rows.map(({ minute, sample }): Sample => ({ minute, ...JSON.parse(sample) }))
    const open = this.#open && sampleOf(this.#open)
    if (!open || open.minute < from || open.minute > to) return stored
    return [...stored.filter(({ minute }) => minute !== open.minute), open].sort((a, b) => a.minute - b.minute)
  }

  async #store(open: OpenMinute): Promise<void> {
    const { minute, ...sample } = sampleOf(open)
    await write(this.#db, async (transaction) => {
      await transaction(TABLE)
        .insert({ minute, sample: JSON.stringify(sample) })
        .onConflict('minute')
        .merge()
      await transaction(TABLE)
        .where('minute', '<=', minute - KEPT_MINUTES)
        .delete()
    })
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
