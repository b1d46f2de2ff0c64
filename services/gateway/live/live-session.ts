// One live WebSocket: its caller, its topics and its frames.
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { unexpected } from '../../../platform/async/unexpected-errors.ts'
import type { Actor } from '../../../platform/core/actor.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import { invalid, noSuch, Problem } from '../../../platform/core/problem.ts'
import { checkText, readJson } from '../../../platform/http/bodies.ts'
import type { LiveTopic } from '../../../platform/store/live-topic.ts'
import {
  KeyFrame,
  LIVE_CLOSE,
  MOST_CLIENT_FRAME,
  MOST_TOPICS,
  SubscribeFrame,
  type LiveFrame,
} from '../../../schemas/gateway/live.ts'
import { valueCheck } from '../../../schemas/validation/fields.ts'
import type { LiveFeed } from './live-feed.ts'
import type { PolledSubscription, Reader, SampledSubscription, Subscription } from './subscription.ts'

export interface Line {
  /** Returns false if the socket is closed, or reads too slowly. */
  send(frame: LiveFrame): boolean
  close(code: number, reason: string): void
  readonly bufferedBytes: number
}

export interface Visitor {
  /** Also before the key of its session. */
  caller: Pick<Actor, 'actor' | 'agent'>
  /** Null: the first frame must have the key of the session. */
  actor: Actor | null
  /** The caller of the session with this key; null for a wrong key. */
  admit(key: string): Actor | null
  /** The caller with its present role; null if its token or session has ended. */
  renew(actor: Actor): Promise<Actor | null>
}

interface SessionWorld {
  log: Log
  feed: LiveFeed
  topics: readonly LiveTopic[]
}

/** Frames of a client that are not answered yet. */
const MOST_WAITING = 200
/** Buffered bytes above which earlier changes are not sent to a client. */
const BUSY_BYTES = 1024 * 1024

type Subscribed = { recorded: Subscription } | { sampled: SampledSubscription } | { polled: PolledSubscription }

export class LiveSession implements Reader {
  readonly #world: SessionWorld
  readonly caller: string
  readonly #visitor: Visitor
  readonly #line: Line
  readonly #topics = new Map<string, Subscribed>()
  readonly #turns = new SerialQueue()
  #actor: Actor | null
  #waiting = 0
  /** The next check closes a socket that has sent no key. */
  #isLate = false
  #isOver = false

  constructor(world: SessionWorld, visitor: Visitor, line: Line) {
    this.#world = world
    this.#visitor = visitor
    this.caller = callerOf(visitor.caller)
    this.#line = line
    this.#actor = visitor.actor
    world.feed.join(this)
  }

  get isBusy(): boolean {
    return this.#line.bufferedBytes > BUSY_BYTES
  }

  get isAsking(): boolean {
    return this.#waiting > 0
  }

  /** Invalid frames close the socket. */
  take(bytes: Buffer, isBinary: boolean): void {
    if (this.#isOver) return
    if (isBinary) return this.#close(LIVE_CLOSE.binary, 'send JSON as text')
    if (bytes.length > MOST_CLIENT_FRAME)
      return this.#close(LIVE_CLOSE.tooLarge, `a frame has at most ${MOST_CLIENT_FRAME} bytes`)
    if (++this.#waiting > MOST_WAITING) return this.#close(LIVE_CLOSE.tooManyFrames, 'too many frames at once')
    void this.#turns.run(() => this.#takeInTurn(bytes)).finally(() => this.#waiting--)
  }

  end(): void {
    this.#isOver = true
    this.#world.feed.leave(this)
    this.#topics.clear()
  }

  send(frame: LiveFrame): boolean {
    return !this.#isOver && this.#actor !== null && this.#line.send(frame)
  }

  lose(topic: string): void {
    this.#topics.delete(topic)
    this.send({ topic, gone: true })
  }

  /** Ends what the caller may no longer read. Never throws. */
  async check(): Promise<void> {
    const known = this.#actor
    if (this.#isOver) return
    if (known === null) return this.#isLate ? this.#closeUnauthorized('no key was sent') : void (this.#isLate = true)
    try {
      this.#actor = await this.#visitor.renew(known)
      if (this.#actor === null) return this.#closeUnauthorized('the session or its token has ended')
    } catch (error) {
      return unexpected(this.#world.log, 'frame', error)
    }
    for (const [topic, subscribed] of this.#topics) {
      if ('sampled' in subscribed) continue
      const { definition, of } = 'recorded' in subscribed ? subscribed.recorded : subscribed.polled
      try {
        await definition.open?.(of, this.#actor)
      } catch (error) {
        if (!isRefusal(error)) {
          unexpected(this.#world.log, 'frame', error, { topic })
          continue
        }
        this.#drop(topic)
        this.#refuse(topic, error)
      }
    }
  }

  #closeUnauthorized(reason: string): void {
    this.#close(LIVE_CLOSE.unauthorized, reason)
  }

  #close(code: number, reason: string): void {
    this.end()
    this.#line.close(code, reason)
  }

  async #takeInTurn(bytes: Buffer): Promise<void> {
    if (this.#isOver) return
    let frame: unknown
    try {
      frame = atOnce(readJson(bytes, 'frame'))
      checkText(frame)
      if (this.#actor === null) return this.#unlock(frame)
      const faults = subscribeCheck(frame)
      if (faults.length > 0) throw invalid(faults.map(({ path, message }) => `${path} ${message}`.trim()).join('; '))
    } catch (error) {
      if (error instanceof Problem) return this.#close(LIVE_CLOSE.malformed, reasonOf(error))
      unexpected(this.#world.log, 'frame', error)
      return this.#close(LIVE_CLOSE.internal, 'internal error; see the log of the daemon')
    }
    await this.#follow(frame as SubscribeFrame, this.#actor)
  }

  #unlock(frame: unknown): void {
    const isKey = keyCheck(frame).length === 0
    if (isKey) this.#actor = this.#visitor.admit((frame as { key: string }).key)
    if (this.#actor === null)
      this.#closeUnauthorized(isKey ? 'the key is unknown' : 'the first frame must be {"key": …}')
  }

  async #follow({ subscribe, topic, after = null }: SubscribeFrame, actor: Actor): Promise<void> {
    try {
      if (!subscribe) return this.#drop(topic)
      // Subscribing again starts again.
      this.#drop(topic)
      if (this.#topics.size >= MOST_TOPICS)
        throw new Problem(429, `this socket has reached the limit of ${MOST_TOPICS} topics`, { code: 'limit-reached' })
      await this.#subscribe(topic, after, actor)
    } catch (error) {
      this.#refuse(topic, error)
    }
  }

  async #subscribe(topic: string, after: string | null, actor: Actor): Promise<void> {
    const slash = topic.indexOf('/')
    const [name, of] = slash < 0 ? [topic, ''] : [topic.slice(0, slash), topic.slice(slash + 1)]
    const known = this.#world.topics
    const definition = known.find((each) => each.name === name && hasIds(each) === slash >= 0)
    if (definition === undefined) throw noSuch('topic', topic, known.map(shownName))
    if ('sample' in definition) {
      const sampled = { reader: this, definition, sent: null }
      this.#topics.set(topic, { sampled })
      return this.#world.feed.sampled.add(sampled)
    }
    await definition.open?.(of, actor)
    if ('poll' in definition) {
      if (this.#isOver) return
      const polled = { reader: this, topic, of, definition, sent: null }
      this.#topics.set(topic, { polled })
      return this.#world.feed.polled.add(polled)
    }
    const start = await this.#world.feed.startOf(topic, after)
    if (this.#isOver) return
    if (start === null) return void this.send({ topic, gone: true })
    const { text, ...position } = start
    this.send({ topic, seq: text })
    const recorded = { reader: this, topic, of, definition, isLive: false, ...position }
    this.#topics.set(topic, { recorded })
    this.#world.feed.add(recorded)
  }

  #drop(topic: string): void {
    const subscribed = this.#topics.get(topic)
    if (subscribed === undefined) return
    this.#topics.delete(topic)
    if ('recorded' in subscribed) this.#world.feed.remove(subscribed.recorded)
    else if ('polled' in subscribed) this.#world.feed.polled.remove(subscribed.polled)
    else this.#world.feed.sampled.remove(subscribed.sampled)
  }

  #refuse(topic: string, error: unknown): void {
    const problem = error instanceof Problem ? error : null
    if (!problem) unexpected(this.#world.log, 'frame', error, { topic })
    const message = problem?.message ?? 'internal error; see the log of the daemon'
    this.send({ topic, error: { code: problem?.code ?? 'internal-error', message } })
  }
}

export const callerOf = ({ actor, agent }: Visitor['caller']): string => agent ?? actor

const subscribeCheck = valueCheck(SubscribeFrame, 'the frame')
const keyCheck = valueCheck(KeyFrame, 'the frame')

const hasIds = (topic: LiveTopic): boolean => 'hasIds' in topic && topic.hasIds === true
const shownName = (topic: LiveTopic): string => (hasIds(topic) ? `${topic.name}/<id>` : topic.name)

/** Other errors say nothing about the rights of the caller. */
const isRefusal = (error: unknown): boolean => error instanceof Problem && [401, 403, 404].includes(error.status)

/** At most 123 bytes are allowed. */
const LONGEST_REASON = 100

const reasonOf = ({ message }: Problem): string => message.replace(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_REASON)
