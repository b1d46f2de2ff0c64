import type { Clock } from '../../platform/core/clock.ts'
import { Problem } from '../../platform/core/problem.ts'
import { RecentMap } from '../../platform/core/recent.ts'

/** Token bucket of a sender. */
interface Bucket {
  left: number
  at: number
}

/** Bucket capacity, in seconds of the rate. */
const BURST_SECS = 2
/** An evicted bucket starts full again. */
const MOST_SENDERS = 10_000

export class SenderRateLimit {
  readonly #clock: Clock
  readonly #perSec: number
  readonly #buckets = new RecentMap<Bucket>(MOST_SENDERS)
  refused = 0

  constructor(clock: Clock, perSec: number) {
    this.#clock = clock
    this.#perSec = perSec
  }

  /** Throws 429 above the limit. */
  count(sender: string): void {
    const now = this.#clock.monotonic()
    const most = this.#perSec * BURST_SECS
    const bucket = this.#buckets.get(sender) ?? { left: most, at: now }
    bucket.left = Math.min(most, bucket.left + ((now - bucket.at) / 1000) * this.#perSec)
    bucket.at = now
    this.#buckets.set(sender, bucket)
    if (bucket.left < 1) {
      this.refused++
      throw new Problem(
        429,
        `${sender} sends more than ${this.#perSec} messages per second: wait ${Math.ceil(1000 / this.#perSec)} ms and retry`,
      )
    }
    bucket.left--
  }
}
