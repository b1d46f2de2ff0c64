// How much one sender may say: a bucket that fills by the clock.
import type { Clock } from '../../platform/core/clock.ts'
import { Problem } from '../../platform/core/problem.ts'
import { RecentMap } from '../../platform/core/recent.ts'

interface Bucket {
  left: number
  at: number
}

/** A bucket holds what may be said at once: so many seconds of the rate. */
const BURST_SECS = 2
/** Senders that are kept in mind; a bucket that is full again is as good as none. */
const MOST_SENDERS = 10_000

export class SenderRateLimit {
  readonly #clock: Clock
  readonly #perSec: number
  /** Those that spoke last. */
  readonly #buckets = new RecentMap<Bucket>(MOST_SENDERS)
  /** Refused since the start. */
  refused = 0

  /** `perSec`: what one sender may say in a second, over time. */
  constructor(clock: Clock, perSec: number) {
    this.#clock = clock
    this.#perSec = perSec
  }

  /** Counts one more of `sender`; throws the 429 for too many. */
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
        `${sender} says more than ${this.#perSec} messages a second: wait ${Math.ceil(1000 / this.#perSec)} ms, then send this one again`,
      )
    }
    bucket.left--
  }
}
