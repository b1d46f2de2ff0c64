// A live feed on a real database, with sockets that record what they are sent.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { Actor } from '../../../../platform/core/actor.ts'
import { TestClock } from '../../../../platform/core/clock.ts'
import { noLog, type Log } from '../../../../platform/core/log/log.ts'
import { write, type Knex } from '../../../../platform/database/database.ts'
import { ChangeRows, createChangeTables, recordChanges } from '../../../../platform/store/change-rows.ts'
import type { LiveTopic } from '../../../../platform/store/live-topic.ts'
import type { LiveItem } from '../../../../schemas/gateway/live.ts'
import { LiveFeed } from '../../../../services/gateway/live/live-feed.ts'
import { LiveSession, type Visitor } from '../../../../services/gateway/live/live-session.ts'
import type { Subscription } from '../../../../services/gateway/live/subscription.ts'
import { eventually } from '../../../support/eventually.ts'

export const MIRA: Actor = { actor: 'mira', requestId: 'r', endpoint: 'GET /live' }

export async function createThings(db: Knex): Promise<void> {
  await db.schema.createTable('sample_things', (columns) => {
    columns.string('id', 36).primary()
    columns.string('room', 36).notNullable().defaultTo('hall')
    columns.text('name').notNullable().defaultTo('')
  })
  await createChangeTables(db)
}

/** Knows whether it follows changes. */
class KnownFeed extends LiveFeed {
  readonly followed = new Set<Subscription>()

  override add(subscription: Subscription): void {
    this.followed.add(subscription)
    super.add(subscription)
  }

  override remove(subscription: Subscription): void {
    this.followed.delete(subscription)
    super.remove(subscription)
  }

  /** Timers while none of its work runs: of ticks, checks and trims, and of changes that it follows. */
  get timers(): number {
    return 3 + Number(this.followed.size > 0)
  }
}

export class LiveStand {
  readonly db: Knex
  readonly clock = new TestClock()
  feed: KnownFeed
  /** Errors of rooms that cannot be opened. */
  readonly closed = new Map<string, Error>()
  /** Errors of topics whose records cannot be read. */
  readonly broken = new Map<string, Error>()
  /** Topics whose records are never answered. */
  readonly hanging = new Set<string>()
  readWithinMs = 5000
  /** Resolves when rooms may be opened. */
  opening: Promise<void> = Promise.resolve()
  figures: object | null = null
  /** Texts by id. */
  readonly screens = new Map<string, string>()
  readonly polls: string[] = []
  reads = 0
  #unrecorded: (id: string) => void = () => undefined
  readonly #log: Log
  readonly topics: readonly LiveTopic[]
  readonly rows: ChangeRows

  constructor(db: Knex, log: Log = noLog) {
    this.db = db
    this.rows = new ChangeRows(db)
    this.#log = log
    this.topics = [
      {
        name: 'things',
        sources: [{ table: 'sample_things', topic: 'things', id: ['id'] }],
        read: (ids) => this.#read('things', ids),
        unrecorded: (listener) => {
          this.#unrecorded = listener
          return () => (this.#unrecorded = () => undefined)
        },
      },
      {
        name: 'room',
        hasIds: true,
        sources: [{ table: 'sample_things', topic: 'room', of: 'room', id: ['id'] }],
        open: async (room) => {
          await this.opening
          this.#throwIf(this.closed.get(room))
        },
        read: (ids) => this.#read('room', ids),
      },
      {
        name: 'figures',
        sample: () => {
          this.#throwIf(this.broken.get('figures'))
          return this.figures
        },
      },
      {
        name: 'screen',
        hasIds: true,
        open: async (id) => this.#throwIf(this.closed.get(id)),
        poll: async (id) => {
          this.polls.push(id)
          this.#throwIf(this.broken.get('screen'))
          if (this.hanging.has('screen')) return new Promise(() => undefined)
          return { text: this.screens.get(id) ?? '' }
        },
      },
    ]
    this.feed = this.#open()
  }

  async record(): Promise<void> {
    await recordChanges(
      this.db,
      this.topics.flatMap((topic) => ('sources' in topic ? topic.sources : [])),
    )
  }

  /** As another daemon does. */
  async restart(): Promise<void> {
    await this.feed.stop()
    this.feed = this.#open()
  }

  #open(): KnownFeed {
    const { clock, topics, readWithinMs } = this
    const feed = new KnownFeed({ clock, log: this.#log, topics, readWithinMs }, this.rows)
    feed.start()
    return feed
  }

  connect(visitor: Partial<Visitor> = {}): LiveClient {
    const client = new LiveClient(this)
    const given = { caller: MIRA, actor: MIRA, admit: () => null, renew: async (actor: Actor) => actor, ...visitor }
    client.session = new LiveSession({ log: this.#log, feed: this.feed, topics: this.topics }, given, client)
    return client
  }

  change(id: string, name: string): Promise<unknown> {
    return write(this.db, (transaction) => transaction('sample_things').insert({ id, name }).onConflict('id').merge())
  }

  /** Advances time until the condition holds. */
  until<T>(condition: () => T, stepMs = 50): Promise<unknown> {
    return eventually(() => {
      this.clock.tick(stepMs)
      return condition()
    })
  }

  /** Waits until everything is sent. */
  async settle(): Promise<void> {
    for (let rounds = 0; rounds < 4; rounds++) {
      this.clock.tick(50)
      for (let turns = 0; turns < 40; turns++) {
        await turnOfTheLoop()
        await this.db.raw('select 1')
      }
      await eventually(() => this.clock.pending >= this.feed.timers)
    }
  }

  touch(id: string): void {
    this.#unrecorded(id)
  }

  #throwIf(error: Error | undefined): void {
    if (error) throw error
  }

  async #read(topic: string, ids: readonly string[]): Promise<Map<string, object>> {
    this.reads++
    this.#throwIf(this.broken.get(topic))
    if (this.hanging.has(topic)) return new Promise(() => undefined)
    const rows: { id: string; name: string }[] = await this.db('sample_things')
      .whereIn('id', [...ids])
      .select('id', 'name')
    return new Map(rows.map((row) => [row.id, row]))
  }
}

export class LiveClient {
  session!: LiveSession
  readonly frames: any[] = []
  closed: { code: number; reason: string } | null = null
  bufferedBytes = 0
  /** Reads nothing, so that frames stay in the buffer. */
  isSlow = false

  constructor(readonly stand: LiveStand) {}

  send(frame: object): boolean {
    if (this.closed) return false
    this.frames.push(structuredClone(frame))
    if (this.isSlow) this.bufferedBytes += JSON.stringify(frame).length
    return true
  }

  close(code: number, reason: string): void {
    this.closed = { code, reason }
  }

  say(frame: unknown, isBinary = false): void {
    const bytes = Buffer.isBuffer(frame)
      ? frame
      : Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame))
    this.session.take(bytes, isBinary)
  }

  /** Resolves with the answer. */
  async subscribe(topic: string, after?: string | null): Promise<any> {
    const from = this.frames.length
    this.say({ subscribe: true, topic, ...(after === undefined ? {} : { after }) })
    await eventually(() => this.frames.slice(from).some((frame) => frame.topic === topic))
    return this.frames.slice(from).find((frame) => frame.topic === topic)
  }

  items(topic = 'things'): LiveItem[] {
    return this.frames.flatMap((frame) => (frame.topic === topic && frame.items ? frame.items : []))
  }

  get ids(): string[] {
    return this.items().map(({ id }) => id)
  }

  get ticks(): any[] {
    return this.frames.filter((frame) => 'tick' in frame)
  }

  /** Last position of the topic. */
  last(topic = 'things'): string {
    const frames = this.frames.filter((frame) => frame.topic === topic)
    return this.items(topic).at(-1)?.seq ?? frames.find((frame) => frame.seq).seq
  }
}
