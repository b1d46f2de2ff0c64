export interface Timers {
  /** Milliseconds since 1970. */
  now(): number
  /** Returns a function that cancels. */
  after(ms: number, run: () => void): () => void
}

/** A correction of the clock by less than this is waited for, in milliseconds. */
const HELD_MS = 5000

/**
 * The only timer of the page. Follows the clock of the daemon, whose times the page shows, and stops while the
 * connection is lost, so that no age and no deadline goes on without data.
 */
export class PageClock {
  readonly #timers: Timers
  readonly #listeners = new Set<() => void>()
  #offset = 0
  #stoppedAt: number | null = null
  #cancel: (() => void) | null = null
  #isHidden = false
  /** Latest time that was shown. */
  #latest = 0

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** Daemon time in milliseconds, or the time of the stop. Goes back only if it was wrong by 5 s or more. */
  now(): number {
    if (this.#stoppedAt !== null) return this.#stoppedAt
    const time = this.#timers.now() + this.#offset
    const ahead = this.#latest - time
    if (ahead > 0 && ahead < HELD_MS) return this.#latest
    this.#latest = time
    return time
  }

  /** Time of the stop, or null while it runs. */
  get stoppedAt(): number | null {
    return this.#stoppedAt
  }

  /** Sets the offset from a time that the daemon sent just now. Differences below a second stay. */
  synchronize(daemonTime: number): void {
    const offset = daemonTime - this.#timers.now()
    if (Math.abs(offset - this.#offset) >= 1000) this.#offset = offset
  }

  /** Stops at a daemon time in milliseconds; default: now. */
  stop(at = this.now()): void {
    if (this.#stoppedAt !== null) return
    this.#stoppedAt = at
    this.#notify()
    this.#schedule()
  }

  resume(): void {
    if (this.#stoppedAt === null) return
    this.#stoppedAt = null
    this.#notify()
    this.#schedule()
  }

  /** A hidden page does not tick. */
  setHidden(isHidden: boolean): void {
    this.#isHidden = isHidden
    if (!isHidden) this.#notify()
    this.#schedule()
  }

  /** Calls `listener` at the start of every second. Returns a function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.#schedule()
    return () => {
      this.#listeners.delete(listener)
      this.#schedule()
    }
  }

  #schedule(): void {
    const mustTick = this.#listeners.size > 0 && this.#stoppedAt === null && !this.#isHidden
    if (mustTick === (this.#cancel !== null)) return
    if (!mustTick) {
      this.#cancel?.()
      this.#cancel = null
      return
    }
    this.#cancel = this.#timers.after(1000 - (this.now() % 1000), () => {
      this.#cancel = null
      this.#notify()
      this.#schedule()
    })
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}
