import type { Clock } from './clock.ts'
import { Problem } from './problem.ts'
import { RecentMap } from './recent.ts'

/** Token bucket of a caller. */
interface Bucket {
  left: number
  at: number
}

/** Bucket capacity, in seconds of the rate. */
const BURST_SECS = 2
/** An evicted bucket starts full again. */
const MOST_CALLERS = 10_000

export interface RateLimitOptions {
  clock: Clock
  perSec: number
  /** Of what: `messages`. */
  what: string
  /** Name of the setting, if there is one. */
  variable?: string
}

/** Limits how often each caller does something. */
export class RateLimit {
  readonly #options: RateLimitOptions
  readonly #buckets = new RecentMap<Bucket>(MOST_CALLERS)
  refused = 0

  constructor(options: RateLimitOptions) {
    this.#options = options
  }

  /** Throws 429 above the limit. `name`: of the caller, in the error. */
  count(caller: string, name = caller): void {
    const { clock, perSec, what, variable } = this.#options
    const now = clock.monotonic()
    const most = perSec * BURST_SECS
    const bucket = this.#buckets.get(caller) ?? { left: most, at: now }
    bucket.left = Math.min(most, bucket.left + ((now - bucket.at) / 1000) * perSec)
    bucket.at = now
    this.#buckets.set(caller, bucket)
    if (bucket.left < 1) {
      this.refused++
      const wait = Math.ceil(1000 / perSec)
      const setting = variable === undefined ? '' : ` (${variable})`
      const detail = `${name} sends more than ${perSec} ${what} per second${setting}: wait ${wait} ms and retry`
      throw new Problem(429, detail, { code: 'limit-reached', retrySecs: Math.ceil(wait / 1000) })
    }
    bucket.left--
  }
}
