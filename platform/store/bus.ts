// Notifies all daemons on a database of changes. Carries ids only; listeners read the current state.
import type { Client } from 'pg'
import { ChangeFeed, type Unsubscribe } from '../async/change-feed.ts'
import type { Clock, Timer } from '../core/clock.ts'
import { whenCommitted, isPostgres, type Knex } from '../database/database.ts'
import type { Log } from '../core/log/log.ts'

export interface BusListener {
  heard(id: string): void
  /** Called after a reconnect: ids may have been missed, so read everything again. */
  missed?(): void
}

export interface Bus {
  /**
   * Notifies listeners in all processes; in a transaction, after its commit. `topic` and `id` have at most 7000 bytes
   * together.
   */
  publish(topic: string, id: string, transaction?: Knex): Promise<void>
  subscribe(topic: string, listener: BusListener): Unsubscribe
  close(): Promise<void>
}

export interface BusWorld {
  db: Knex
  url: string
  clock: Clock
  log: Log
}

/** Uses LISTEN and NOTIFY on PostgreSQL. SQLite has only one process. */
export async function openBus(world: BusWorld): Promise<Bus> {
  if (!isPostgres(world.db)) return new ProcessBus(world.log)
  const bus = new PostgresBus(world)
  await bus.connect()
  return bus
}

/** A PostgreSQL notification has less than 8000 bytes. */
const MOST_BYTES = 7000
const CHANNEL = 'svc_bus'
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 10_000

class Listeners {
  readonly #log: Log
  /** Null: ids may have been missed. */
  readonly #feeds = new Map<string, ChangeFeed<string | null>>()

  constructor(log: Log) {
    this.#log = log
  }

  subscribe(topic: string, listener: BusListener): Unsubscribe {
    const feed = this.#feeds.get(topic) ?? new ChangeFeed(this.#log)
    this.#feeds.set(topic, feed)
    return feed.subscribe((id) => (id === null ? listener.missed?.() : listener.heard(id)))
  }

  protected tell(topic: string, id: string): void {
    this.#feeds.get(topic)?.publish(id)
  }

  protected tellMissed(): void {
    for (const feed of this.#feeds.values()) feed.publish(null)
  }
}

class ProcessBus extends Listeners implements Bus {
  async publish(topic: string, id: string, transaction?: Knex): Promise<void> {
    encode(topic, id)
    const tell = () => setImmediate(() => this.tell(topic, id))
    if (!transaction?.isTransaction) tell()
    else whenCommitted(transaction as Knex.Transaction).then(tell, () => undefined)
  }

  async close(): Promise<void> {}
}

class PostgresBus extends Listeners implements Bus {
  readonly #world: BusWorld
  #client: Client | null = null
  #retry: Timer | null = null
  #failures = 0
  #closed = false

  constructor(world: BusWorld) {
    super(world.log)
    this.#world = world
  }

  async publish(topic: string, id: string, transaction?: Knex): Promise<void> {
    await (transaction ?? this.#world.db).raw('SELECT pg_notify(?, ?)', [CHANNEL, encode(topic, id)])
  }

  /** Throws if the server is unreachable. */
  async connect(): Promise<void> {
    // Loaded only on PostgreSQL.
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: this.#world.url, keepAlive: true })
    client.on('notification', ({ payload = '' }) => this.tell(...decode(payload)))
    // 'end' follows and triggers the reconnect.
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    if (this.#closed) return client.end()
    this.#client = client
    client.once('end', () => this.#onEnd())
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#retry?.cancel()
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => undefined)
  }

  #onEnd(): void {
    this.#client = null
    if (this.#closed) return
    this.#world.log.warn({}, 'bus disconnected from the database; reconnecting')
    this.#connectLater()
  }

  #connectLater(): void {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS)
    this.#retry = this.#world.clock.after(wait, () => void this.#reconnect())
  }

  async #reconnect(): Promise<void> {
    try {
      await this.connect()
    } catch (error) {
      this.#failures++
      this.#world.log.warn({ failures: this.#failures, error: (error as Error).message }, 'bus failed to reconnect')
      if (!this.#closed) this.#connectLater()
      return
    }
    this.#failures = 0
    if (!this.#closed) this.tellMissed()
  }
}

function encode(topic: string, id: string): string {
  const payload = JSON.stringify([topic, id])
  const bytes = Buffer.byteLength(payload)
  if (bytes <= MOST_BYTES) return payload
  throw new Error(
    `bus message on ${topic.slice(0, 80)} has ${bytes} bytes, expected at most ${MOST_BYTES}: publish an id`,
  )
}

function decode(payload: string): [topic: string, id: string] {
  return JSON.parse(payload)
}
