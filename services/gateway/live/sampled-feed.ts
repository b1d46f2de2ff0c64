import { unexpected } from '../../../platform/async/unexpected-errors.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import type { Reader, SampledSubscription } from './subscription.ts'

/** Sends figures when they are new. */
export class SampledFeed {
  readonly #log: Log
  readonly #subscriptions = new Set<SampledSubscription>()

  constructor(log: Log) {
    this.#log = log
  }

  add(subscription: SampledSubscription): void {
    this.#subscriptions.add(subscription)
    this.#send(subscription)
  }

  remove(subscription: SampledSubscription): void {
    this.#subscriptions.delete(subscription)
  }

  leave(reader: Reader): void {
    for (const each of this.#subscriptions) if (each.reader === reader) this.remove(each)
  }

  sendAll(): void {
    for (const each of this.#subscriptions) this.#send(each)
  }

  #send(subscription: SampledSubscription): void {
    const { reader, definition, sent } = subscription
    try {
      const item = definition.sample()
      if (item === null || item === sent) return
      subscription.sent = item
      reader.send({ topic: definition.name, items: [{ seq: null, id: definition.name, item }] })
    } catch (error) {
      unexpected(this.#log, 'feed', error, { topic: definition.name })
    }
  }
}
