import pLimit from 'p-limit'
import { background, type Background } from '../../../platform/async/background.ts'
import { withDeadline } from '../../../platform/async/deadline.ts'
import type { Clock } from '../../../platform/core/clock.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import { Problem, unavailable } from '../../../platform/core/problem.ts'
import type { PolledSubscription, Reader } from './subscription.ts'

const EVERY_MS = 1000
const LONGEST_RETRY_MS = 10_000
/** A read may start a process. */
const READ_AT_ONCE = 4

interface PolledWorld {
  clock: Clock
  log: Log
  /** Longest read of a record. */
  readWithinMs: number
}

interface Poll {
  subscriptions: Set<PolledSubscription>
  /** Null until it starts. */
  reading: Background | null
  /** Null before the first read, and after one that failed. */
  last: { record: object; text: string } | null
}

/** Reads each topic once a second while it has subscribers, and sends the record when it has changed. */
export class PolledFeed {
  readonly #world: PolledWorld
  /** By topic. */
  readonly #polls = new Map<string, Poll>()
  readonly #limited = pLimit(READ_AT_ONCE)
  #isStopped = false

  constructor(world: PolledWorld) {
    this.#world = world
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const polls = [...this.#polls.values()]
    this.#polls.clear()
    await Promise.all(polls.map(async ({ reading }) => reading?.stop()))
  }

  add(subscription: PolledSubscription): void {
    if (this.#isStopped) return
    const poll = this.#polls.get(subscription.topic)
    if (poll === undefined) return this.#start(subscription)
    poll.subscriptions.add(subscription)
    send(poll, subscription)
  }

  /** Its last reader is gone at the next read: subscribing again at once does not read again. */
  remove(subscription: PolledSubscription): void {
    this.#polls.get(subscription.topic)?.subscriptions.delete(subscription)
  }

  leave(reader: Reader): void {
    for (const { subscriptions } of this.#polls.values())
      for (const each of subscriptions) if (each.reader === reader) subscriptions.delete(each)
  }

  #start(subscription: PolledSubscription): void {
    const { clock, log } = this.#world
    const { topic } = subscription
    const poll: Poll = { subscriptions: new Set([subscription]), reading: null, last: null }
    this.#polls.set(topic, poll)
    const times = { everyMs: EVERY_MS, longestMs: LONGEST_RETRY_MS, atOnce: true }
    poll.reading = background({ clock, log, name: `live ${topic}`, ...times, work: () => this.#poll(topic) })
  }

  async #poll(topic: string): Promise<void> {
    const poll = this.#polls.get(topic)
    if (poll === undefined) return
    const [first] = poll.subscriptions
    if (first === undefined) {
      this.#polls.delete(topic)
      return void poll.reading?.stop()
    }
    const { definition, of } = first
    const ms = this.#world.readWithinMs
    const read = () => withDeadline(ms, definition.poll(of), () => unavailable(`no answer within ${ms} ms`))
    try {
      const record = await this.#limited(read)
      poll.last = { record, text: JSON.stringify(record) }
      for (const each of poll.subscriptions) send(poll, each)
    } catch (error) {
      poll.last = null
      // The next check of the subscribers ends the topic.
      if (!(error instanceof Problem && error.status === 404)) throw error
    }
  }
}

/** A slow reader receives only the newest record. */
function send({ last }: Poll, subscription: PolledSubscription): void {
  const { reader, topic, of, sent } = subscription
  if (last === null || last.text === sent || reader.isBusy) return
  subscription.sent = last.text
  reader.send({ topic, items: [{ seq: null, id: of, item: last.record }] })
}
