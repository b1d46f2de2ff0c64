// Outbox: messages are stored with the change they report, then sent with retries, independently per channel.
import * as Type from 'typebox'
import { background, type Background } from '../async/background.ts'
import { timestamp, type Clock } from '../core/clock.ts'
import { write, type Knex } from '../database/database.ts'
import type { Log } from '../core/log/log.ts'
import { conflict } from '../core/problem.ts'
import type { Listed, Part } from './page.ts'
import { table, type Table, type TableWorld } from './table.ts'

const nullableText = Type.Union([Type.String(), Type.Null()])

const Entry = Type.Object({
  id: Type.String(),
  channel: Type.String(),
  subject: Type.String(),
  /** Sent verbatim, even if the record changes. */
  payload: Type.Unknown(),
  digest: Type.String(),
  /** `suppressed`: duplicate of a recent message. */
  status: Type.Enum(['waiting', 'delivered', 'failed', 'suppressed']),
  attempts: Type.Integer(),
  /** Next attempt; during an attempt, its deadline. */
  due_at: Type.String(),
  error: nullableText,
  created_at: Type.String(),
  ended_at: nullableText,
})
export type OutboxEntry = Type.Static<typeof Entry>

export interface Channel {
  name: string
  timeoutMs: number
  /** Resolves when delivered. The entry id is the same for all attempts. */
  deliver(entry: OutboxEntry, signal: AbortSignal): Promise<void>
  /** Time before which a due entry must not be sent, in milliseconds since 1970; null to send it now. */
  holdUntil(entry: OutboxEntry, now: number): number | null
}

export interface OutboxWorld extends TableWorld {
  clock: Clock
  log: Log
  ids(): string
}

export interface OutboxOptions {
  prefix: string
  channels: readonly Channel[]
  /** Milliseconds in which a channel gets the same digest only once. Default 0. */
  deduplicateMs?: number
}

const POLL_MS = 1000
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 3_600_000
/** After this time without success the entry is `failed`. */
const GIVE_UP_MS = 3 * 24 * 3_600_000
const KEEP_MS = 7 * 24 * 3_600_000
const TRIM_EVERY_MS = 3_600_000
const LONGEST_ERROR = 1000

const tableOf = (prefix: string): string => `${prefix}_outbox`

export async function createOutboxTable(db: Knex, prefix: string): Promise<void> {
  await db.schema.createTable(tableOf(prefix), (columns) => {
    columns.increments('seq')
    columns.string('id', 36).notNullable().unique()
    columns.string('channel', 64).notNullable()
    columns.string('subject', 64).notNullable()
    columns.text('payload').notNullable()
    columns.string('digest', 64).notNullable()
    columns.string('status', 16).notNullable()
    columns.integer('attempts').notNullable()
    columns.string('due_at', 30).notNullable()
    columns.text('error')
    columns.string('created_at', 30).notNullable()
    columns.string('ended_at', 30)
    columns.index(['channel', 'status', 'due_at'])
    columns.index(['channel', 'digest', 'created_at'])
    columns.index(['status', 'seq'])
    columns.index(['ended_at'])
  })
}

export class Outbox {
  readonly #world: OutboxWorld
  readonly #options: OutboxOptions
  readonly #rows: Table<OutboxEntry, OutboxEntry, never>
  #loops: Background[] = []

  constructor(world: OutboxWorld, options: OutboxOptions) {
    this.#world = world
    this.#options = options
    this.#rows = table(world, tableOf(options.prefix), Entry, { what: 'delivery' })
  }

  async put(
    channels: readonly string[],
    message: Pick<OutboxEntry, 'subject' | 'payload' | 'digest'>,
    transaction: Knex,
  ): Promise<void> {
    const at = timestamp(this.#world.clock)
    for (const channel of channels) {
      const ended_at = (await this.#isDuplicate(channel, message.digest, transaction)) ? at : null
      const status = ended_at === null ? 'waiting' : 'suppressed'
      const id = this.#world.ids()
      await this.#rows.insert(
        { ...message, id, channel, status, attempts: 0, due_at: at, created_at: at, ended_at },
        transaction,
      )
    }
  }

  /** Sends due messages now; call after the commit. */
  wake(): void {
    for (const loop of this.#loops) loop.wake()
  }

  start(): void {
    const { clock, log } = this.#world
    const sending = this.#options.channels.map((channel) =>
      background({
        clock,
        log,
        name: `deliveries to ${channel.name}`,
        everyMs: POLL_MS,
        atOnce: true,
        work: (signal) => this.#send(channel, signal),
      }),
    )
    const trimming = background({ clock, log, name: 'outbox trim', everyMs: TRIM_EVERY_MS, work: () => this.#trim() })
    this.#loops = [...sending, trimming]
  }

  /** Aborts running attempts; the next start retries them. */
  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()))
  }

  /** Newest first. */
  list<P extends Part, T>(
    where: { status?: OutboxEntry['status']; channel?: string },
    part: P,
    shown: (entry: OutboxEntry) => T,
  ): Promise<Listed<T, P>> {
    return this.#rows.listed({ where }, part, shown)
  }

  /** Retries a failed or pending entry. Throws 404, or 409 if it was delivered. */
  async retry(id: string): Promise<OutboxEntry> {
    const entry = await write(this.#world.db, async (transaction) => {
      const found = await this.#rows.get(id, transaction)
      if (found.status === 'delivered')
        throw conflict(`delivery ${id} to ${found.channel} has already succeeded: there is nothing to retry`)
      const due = { status: 'waiting' as const, due_at: timestamp(this.#world.clock), ended_at: null }
      await this.#rows.update(id, due, transaction)
      return { ...found, ...due }
    })
    this.wake()
    return entry
  }

  async waiting(): Promise<Record<string, number>> {
    const counts = this.#options.channels.map(
      async ({ name }) => [name, await this.#rows.count({ channel: name, status: 'waiting' })] as const,
    )
    return Object.fromEntries(await Promise.all(counts))
  }

  async #isDuplicate(channel: string, digest: string, transaction: Knex): Promise<boolean> {
    const { deduplicateMs = 0 } = this.#options
    if (deduplicateMs === 0) return false
    const since = new Date(this.#world.clock.now() - deduplicateMs).toISOString()
    const same = (query: Knex.QueryBuilder) =>
      void query.where({ channel, digest }).where('created_at', '>', since).whereNot('status', 'suppressed')
    return (await this.#rows.count(same, transaction)) > 0
  }

  async #send(channel: Channel, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const entry = await this.#claim(channel)
      if (entry === null) return
      await this.#attempt(channel, entry, signal)
    }
  }

  /** Sets the deadline, so that a crash loses only this attempt. */
  async #claim({ name, timeoutMs }: Channel): Promise<OutboxEntry | null> {
    const now = this.#world.clock.now()
    const at = new Date(now).toISOString()
    const [entry] = await this.#rows.claim({
      where: (query) => void query.where({ channel: name, status: 'waiting' }).where('due_at', '<=', at),
      order: [
        { column: 'due_at', order: 'asc' },
        { column: 'seq', order: 'asc' },
      ],
      set: { due_at: new Date(now + 2 * timeoutMs).toISOString() },
      most: 1,
    })
    return entry ?? null
  }

  async #attempt(channel: Channel, entry: OutboxEntry, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#world
    const held = channel.holdUntil(entry, clock.now())
    if (held !== null) return void (await this.#rows.update(entry.id, { due_at: new Date(held).toISOString() }))
    const attempts = entry.attempts + 1
    try {
      await channel.deliver(entry, AbortSignal.any([signal, AbortSignal.timeout(channel.timeoutMs)]))
      await this.#rows.update(entry.id, { status: 'delivered', attempts, error: null, ended_at: timestamp(clock) })
    } catch (thrown) {
      if (signal.aborted) return void (await this.#rows.update(entry.id, { due_at: timestamp(clock) }))
      const error = (thrown as Error).message.slice(0, LONGEST_ERROR)
      log.warn({ channel: channel.name, delivery: entry.id, attempts, error }, 'delivery failed')
      await this.#rows.update(entry.id, { attempts, error, ...this.#afterFailure(entry, attempts) })
    }
  }

  #afterFailure({ created_at }: OutboxEntry, attempts: number): Partial<OutboxEntry> {
    const now = this.#world.clock.now()
    if (now - Date.parse(created_at) > GIVE_UP_MS) return { status: 'failed', ended_at: new Date(now).toISOString() }
    const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS)
    return { due_at: new Date(now + wait).toISOString() }
  }

  async #trim(): Promise<void> {
    const before = new Date(this.#world.clock.now() - KEEP_MS).toISOString()
    await this.#rows.delete((query) => void query.where('ended_at', '<', before).whereNot('status', 'failed'))
  }
}
