import * as Type from 'typebox'
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import type { Background } from '../../../platform/async/background.ts'
import type { Clock, Timer } from '../../../platform/core/clock.ts'
import { write } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import { retention } from '../../../platform/store/retention.ts'
import { table, type TableWorld } from '../../../platform/store/table.ts'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import { deleteOlder } from '../record/old-rows.ts'

/** Stored types. Others report current state or are for programs only. */
const KEPT = new Set([
  'assistant',
  'result',
  'pending_approval',
  'approval_decided',
  'approval_withdrawn',
  'approval_delivered',
  'dispatch',
  'context_cleared',
  'message_lost',
  'connection_replaced',
])
const TABLE = 'orchestrator_transcript'
const LONGEST_TEXT = 64 * 1024
/** Maximum delay before a frame is written. */
const GATHER_MS = 250
const MOST_AT_ONCE = 100
/** Frames buffered while the database is unavailable; above it, the oldest are dropped. */
const MOST_WAITING = 2000
const PAGE = 200

type Details = Pick<StreamFrame, 'approval' | 'dispatch'>

const StoredFrame = Type.Object({
  agent_id: Type.String(),
  type: Type.String(),
  content: Type.String(),
  details: Type.Unsafe<Details | null>(Type.Union([Type.Object({}), Type.Null()])),
  timestamp: Type.String(),
})
type StoredFrame = Type.Static<typeof StoredFrame>

interface StoredFramesWorld extends TableWorld {
  clock: Clock
  log: Log
}

/** Row numbers, inclusive. */
export interface Stretch {
  from: number
  upTo: number
  /** Default: all agents. */
  agentId?: string
}

export class StoredFrames {
  readonly #world: StoredFramesWorld
  readonly #rows
  readonly #turns = new SerialQueue()
  #waiting: StoredFrame[] = []
  #dropped = 0
  #timer: Timer | null = null
  #trimming: Background | null = null

  constructor(world: StoredFramesWorld) {
    this.#world = world
    this.#rows = table(world, TABLE, StoredFrame, { what: 'frame', key: ['timestamp'] })
  }

  /** Deletes frames older than `days`. */
  start(days: number): void {
    const { clock, db, log } = this.#world
    const rows = { table: TABLE, key: 'seq', at: 'timestamp' }
    const trim = (before: string, signal: AbortSignal) => deleteOlder(db, rows, before, signal)
    this.#trimming = retention({ clock, log, name: 'stored frames trim', days, trim })
  }

  async stop(): Promise<void> {
    await this.#trimming?.stop()
    await this.place()
  }

  /** Buffers the frame. Never throws. */
  take({ agent_id, type, content, approval, dispatch, timestamp }: StreamFrame): void {
    if (!KEPT.has(type)) return
    const details = approval || dispatch ? { ...(approval && { approval }), ...(dispatch && { dispatch }) } : null
    this.#waiting.push({ agent_id, type, content: content.slice(0, LONGEST_TEXT), details, timestamp })
    if (this.#waiting.length > MOST_WAITING) {
      this.#waiting.shift()
      this.#dropped++
    }
    if (this.#waiting.length >= MOST_AT_ONCE && this.#turns.idle) void this.place()
    else this.#timer ??= this.#world.clock.after(GATHER_MS, () => void this.place())
  }

  /** Oldest first, in pages. */
  async *read({ from, upTo, agentId }: Stretch): AsyncGenerator<StreamFrame[]> {
    while (from <= upTo) {
      const page = this.#world.db(TABLE).where('seq', '>=', from).where('seq', '<=', upTo).orderBy('seq').limit(PAGE)
      if (agentId !== undefined) void page.where({ agent_id: agentId })
      const rows: Record<string, any>[] = await page.select('*')
      if (rows.length === 0) return
      yield rows.map((row) => frameOf(this.#rows.fromColumns(row)))
      from = Number(rows.at(-1)!.seq) + 1
    }
  }

  /** Position of the first frame since a time (RFC 3339), or null. */
  async first(since: string): Promise<number | null> {
    const { db } = this.#world
    const row = await db(TABLE).where('timestamp', '>=', since).orderBy(['timestamp', 'seq']).first('seq')
    return row ? Number(row.seq) : null
  }

  /** Flushes the buffer and returns the position of the last frame; 0 if the database fails. Never rejects. */
  place(): Promise<number> {
    this.#timer?.cancel()
    this.#timer = null
    const rows = this.#waiting
    this.#waiting = []
    return this.#turns
      .run(async () => {
        if (rows.length > 0) await this.#write(rows)
        const last = await this.#world.db(TABLE).max({ seq: 'seq' }).first()
        return Number(last?.seq ?? 0)
      })
      .catch((error: unknown) => {
        this.#world.log.warn({ error: (error as Error).message }, 'failed to read stored frames')
        return 0
      })
  }

  /** Drops frames that cannot be written: no work depends on them. */
  async #write(rows: readonly StoredFrame[]): Promise<void> {
    const { db, log } = this.#world
    const dropped = this.#dropped
    this.#dropped = 0
    try {
      await write(db, (transaction) => this.#rows.insertAll(rows, transaction))
      if (dropped > 0) log.warn({ frames: dropped }, 'buffer of stored frames full: frames dropped')
    } catch (error) {
      log.warn(
        { frames: dropped + rows.length, error: (error as Error).message },
        'failed to store frames: frames dropped',
      )
    }
  }
}

const frameOf = ({ details, ...said }: StoredFrame): StreamFrame => ({ ...said, message: null, ...details })
