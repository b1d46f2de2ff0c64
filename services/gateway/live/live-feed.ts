// Sends the changes of topics to their subscribers: each change once, in the order of commits.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { Unsubscribe } from '../../../platform/async/change-feed.ts'
import { background, type Background } from '../../../platform/async/background.ts'
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import { unexpected } from '../../../platform/async/unexpected-errors.ts'
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import { groupBy } from '../../../platform/core/group-by.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { storageProblem } from '../../../platform/database/database.ts'
import type { ChangePosition, ChangeRow, ChangeRows, ChangeState } from '../../../platform/store/change-rows.ts'
import { PartlyUnread, type LiveTopic } from '../../../platform/store/live-topic.ts'
import type { LiveFrame } from '../../../schemas/gateway/live.ts'
import {
  itemFrame,
  itemsOf,
  positionOf,
  positionText,
  READ_WITHIN_MS,
  unnumberedFrame,
  type NumberedItem,
} from './items.ts'
import { Pauses } from './pauses.ts'
import { PolledFeed } from './polled-feed.ts'
import { SampledFeed } from './sampled-feed.ts'
import { sendAll, type Reader, type Start, type Subscription } from './subscription.ts'
import { UnrecordedChanges } from './unrecorded.ts'

/** Changes within this time are sent together. */
const GATHER_MS = 50
const LONGEST_RETRY_MS = 1000
const TICK_MS = 5000
const TRIM_MS = 60_000
const PAGE = 500
/** Subscriptions that catch up in one turn. */
const CATCHING_AT_ONCE = 32

interface FeedWorld {
  clock: Clock
  log: Log
  topics: readonly LiveTopic[]
  /** Longest read of records. */
  readWithinMs?: number
}

export class LiveFeed {
  readonly sampled: SampledFeed
  readonly polled: PolledFeed
  readonly #world: FeedWorld
  readonly #rows: ChangeRows
  readonly #readers = new Set<Reader>()
  readonly #subscriptions = new Set<Subscription>()
  readonly #turns = new SerialQueue()
  /** Of topics whose records cannot be read now. */
  readonly #pauses: Pauses
  readonly #unrecorded: UnrecordedChanges
  #following: Unsubscribe[] = []
  #state: ChangeState | null = null
  /** Last change that live subscriptions were sent; null until the first turn. */
  #cursor: ChangePosition | null = null
  #sending: Background | null = null
  #ticking: Background | null = null
  #checking: Background | null = null
  #trimming: Background | null = null
  #ticks = 0
  #isStopped = false

  constructor(world: FeedWorld, rows: ChangeRows) {
    this.#world = world
    this.#rows = rows
    this.#pauses = new Pauses(world.clock)
    this.sampled = new SampledFeed(world.log)
    this.polled = new PolledFeed({ readWithinMs: READ_WITHIN_MS, ...world })
    this.#unrecorded = new UnrecordedChanges(world.clock)
  }

  start(): void {
    const { clock, log, topics } = this.#world
    for (const topic of topics)
      if ('unrecorded' in topic && topic.unrecorded)
        this.#following.push(topic.unrecorded((id) => this.#noteUnrecorded(topic.name, id)))
    const trim = (signal: AbortSignal) => this.#rows.trim(signal)
    this.#trimming = background({ clock, log, name: 'live changes trim', everyMs: TRIM_MS, atOnce: true, work: trim })
    const times = { everyMs: TICK_MS, longestMs: TICK_MS }
    this.#ticking = background({ clock, log, name: 'live ticks', ...times, work: async () => this.#tick() })
    this.#checking = background({ clock, log, name: 'live checks', ...times, work: () => this.#checkAll() })
  }

  /** Sockets that are still open receive nothing more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const unfollow of this.#following.splice(0)) unfollow()
    const all = [this.#sending, this.#ticking, this.#checking, this.#trimming]
    await Promise.all([...all, this.polled].map(async (each) => each?.stop()))
  }

  get readers(): number {
    return this.#readers.size
  }

  readersOf(caller: string): number {
    return [...this.#readers].filter((reader) => reader.caller === caller).length
  }

  join(reader: Reader): void {
    this.#readers.add(reader)
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader)
    for (const each of this.#subscriptions) if (each.reader === reader) this.remove(each)
    this.sampled.leave(reader)
    this.polled.leave(reader)
  }

  /** Where a client continues that has read up to `after`, or the last change. Null if it cannot. */
  async startOf(topic: string, after: string | null): Promise<Start | null> {
    const { epoch, trimmed, last } = await this.#rows.state()
    if (after === null) return { sent: last.seq, text: positionText(epoch, last), unrecorded: new Set() }
    const position = positionOf(after)
    const { seq, at } = position
    if (position.epoch !== epoch || seq < trimmed || seq > last.seq || !(await this.#rows.has(position))) return null
    return { sent: seq, text: after, unrecorded: this.#unrecorded.since(topic, at) }
  }

  /** Sends the changes after `sent`. */
  add(subscription: Subscription): void {
    this.#subscriptions.add(subscription)
    if (this.#sending !== null || this.#isStopped) return
    this.#cursor = null
    const { clock, log } = this.#world
    const work = () => this.#turns.run(() => this.#turn())
    const times = { everyMs: GATHER_MS, longestMs: LONGEST_RETRY_MS }
    this.#sending = background({ clock, log, name: 'live changes', ...times, work })
  }

  remove(subscription: Subscription): void {
    this.#subscriptions.delete(subscription)
    if (this.#subscriptions.size > 0) return
    void this.#sending?.stop()
    this.#sending = null
  }

  async #turn(): Promise<void> {
    this.#state = await this.#rows.state()
    await this.#advance(this.#state)
    await this.#sendUnrecorded()
    await this.#catchUp((this.#cursor ?? this.#state.last).seq)
    if (this.#behind().length > 0) this.#sending?.wake()
  }

  async #advance({ last }: ChangeState): Promise<void> {
    let cursor = this.#cursor ?? last
    for (let isWhole = false; !isWhole && cursor.seq < last.seq; await turnOfTheLoop()) {
      const page = await this.#rows.after(cursor.seq, { limit: PAGE, upTo: last.seq })
      // This process was suspended for longer than changes are kept.
      if (page === null) for (const each of this.#live()) this.#lose(each)
      else await this.#deliver(page, this.#live())
      isWhole = page === null || page.length < PAGE
      cursor = isWhole ? last : page!.at(-1)!
      this.#cursor = cursor
    }
    this.#cursor = cursor
  }

  #noteUnrecorded(topic: string, id: string): void {
    this.#unrecorded.add(topic, id)
    for (const each of this.#subscriptions) if (each.topic === topic) each.unrecorded.add(id)
  }

  async #sendUnrecorded(): Promise<void> {
    const noted = this.#live().filter(({ unrecorded }) => unrecorded.size > 0)
    for (const [topic, subscriptions] of groupBy(noted, (each) => each.topic)) {
      const ids = [...new Set(subscriptions.flatMap(({ unrecorded }) => [...unrecorded]))]
      for (const each of subscriptions) each.unrecorded.clear()
      const rows = ids.map((id) => ({ seq: 0, at: 0, topic, id }))
      const emit = (items: NumberedItem[]) => sendAll(itemFrame(topic, null, items), subscriptions)
      if (await this.#readEach(subscriptions, rows, emit)) continue
      for (const { unrecorded } of subscriptions) for (const id of ids) unrecorded.add(id)
    }
  }

  #live(): Subscription[] {
    return [...this.#subscriptions].filter(({ isLive }) => isLive)
  }

  #behind(): Subscription[] {
    const { has } = this.#pauses
    return [...this.#subscriptions].filter(({ isLive, reader, topic }) => !isLive && !reader.isBusy && !has(topic))
  }

  async #catchUp(cursor: number): Promise<void> {
    for (const each of this.#behind().slice(0, CATCHING_AT_ONCE)) {
      // Of a write after the state was read.
      if (each.sent > cursor || this.#pauses.has(each.topic)) continue
      const page = await this.#rows.after(each.sent, { limit: PAGE, topic: each.topic, upTo: cursor })
      if (page === null) {
        this.#lose(each)
        continue
      }
      const isSent = await this.#readEach([each], page, (items) => {
        this.#emit([each], items)
        return each.reader.isBusy
      })
      if (!isSent) continue
      if (page.length < PAGE) each.isLive = true
      else this.#moveToEnd(each)
    }
  }

  #moveToEnd(subscription: Subscription): void {
    if (this.#subscriptions.delete(subscription)) this.#subscriptions.add(subscription)
  }

  async #deliver(page: readonly ChangeRow[], subscriptions: readonly Subscription[]): Promise<void> {
    const byTopic = groupBy(subscriptions, ({ topic }) => topic)
    for (const [topic, rows] of groupBy(page, (row) => row.topic)) {
      const readers = byTopic.get(topic)
      if (readers !== undefined) await this.#readEach(readers, rows, (items) => this.#emit(readers, items))
    }
  }

  /** Ends early if `emit` returns true. Returns whether all records were read. */
  async #readEach(
    subscriptions: readonly Subscription[],
    rows: readonly ChangeRow[],
    emit: (items: NumberedItem[]) => boolean | void,
  ): Promise<boolean> {
    const { topic } = subscriptions[0]!
    try {
      for await (const items of itemsOf(subscriptions[0]!, rows, this.#world.readWithinMs ?? READ_WITHIN_MS)) {
        this.#pauses.delete(topic)
        if (emit(items)) return false
      }
      return true
    } catch (error) {
      const problem = error instanceof Problem ? error : storageProblem(error)
      if (problem?.status === 503) this.#pause(subscriptions, problem)
      else {
        unexpected(this.#world.log, 'feed', error, { topic })
        // It may fail each time; the subscribers must read the records again.
        for (const each of subscriptions) this.#lose(each)
      }
      return false
    }
  }

  /** The subscriptions catch up when the records can be read again. */
  #pause(subscriptions: readonly Subscription[], problem: Problem): void {
    const { topic } = subscriptions[0]!
    this.#world.log.warn({ topic, error: problem.message }, 'records of a live topic cannot be read; retrying')
    this.#pauses.add(topic)
    if (problem instanceof PartlyUnread)
      sendAll(
        unnumberedFrame(topic, problem.records),
        [...this.#subscriptions].filter((each) => each.topic === topic),
      )
    for (const each of subscriptions) {
      // A live one was sent all changes up to the cursor, and its own last one may be long ago.
      if (each.isLive) each.sent = Math.max(each.sent, this.#cursor?.seq ?? 0)
      each.isLive = false
    }
  }

  #emit(subscriptions: readonly Subscription[], items: readonly NumberedItem[]): void {
    const present = subscriptions.filter((each) => this.#subscriptions.has(each))
    sendAll(itemFrame(subscriptions[0]!.topic, this.#state!.epoch, items), present)
    for (const each of present) each.sent = items.at(-1)!.seq
  }

  #lose(subscription: Subscription): void {
    if (!this.#subscriptions.has(subscription)) return
    this.remove(subscription)
    subscription.reader.lose(subscription.topic)
  }

  /** Reads the database, which a tick must not wait for: a client without ticks reconnects. */
  async #checkAll(): Promise<void> {
    for (const reader of this.#readers) await reader.check()
  }

  /** Synchronous: the position must hold for all subscriptions of a reader. */
  #tick(): void {
    this.#ticks++
    this.sampled.sendAll()
    const at = timestamp(this.#world.clock)
    const subscriptions = [...this.#subscriptions].filter(({ isLive }) => !isLive)
    const behind = new Set(subscriptions.map(({ reader }) => reader))
    const seq = this.#cursor !== null && this.#state ? positionText(this.#state.epoch, this.#cursor) : null
    const frame: LiveFrame = { tick: this.#ticks, at, seq }
    const frameOfBehind: LiveFrame = { ...frame, seq: null }
    for (const reader of this.#readers) reader.send(reader.isAsking || behind.has(reader) ? frameOfBehind : frame)
  }
}
