// The only file that reads the system time.

export interface Timer {
  cancel(): void
}

export interface Clock {
  now(): number
  /** Milliseconds for durations, unaffected by changes of the time of day. */
  monotonic(): number
  /** Uses the monotonic clock. A timer does not keep the process alive. */
  after(ms: number, callback: () => void): Timer
}

/** RFC 3339 UTC with milliseconds. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}

/** Node's maximum timer delay; longer delays are split. */
const LONGEST_LEG_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    let timer: NodeJS.Timeout
    const leg = (left: number) => {
      timer = setTimeout(
        () => (left > LONGEST_LEG_MS ? leg(left - LONGEST_LEG_MS) : callback()),
        Math.min(Math.max(left, 0), LONGEST_LEG_MS),
      ).unref()
    }
    leg(ms)
    return { cancel: () => clearTimeout(timer) }
  },
}

/**
 * A clock that a test advances.
 * @testing
 */
export class TestClock implements Clock {
  #elapsed = 0
  #start: number
  #timers: { at: number; callback: () => void }[] = []

  constructor(start = Date.UTC(2030, 0, 1)) {
    this.#start = start
  }

  now(): number {
    return this.#start + this.#elapsed
  }

  monotonic(): number {
    return this.#elapsed
  }

  after(ms: number, callback: () => void): Timer {
    const timer = { at: this.#elapsed + ms, callback }
    this.#timers.push(timer)
    return { cancel: () => void (this.#timers = this.#timers.filter((other) => other !== timer)) }
  }

  /** Changes the time of day by `byMs`; no time passes. */
  set(byMs: number): void {
    this.#start += byMs
  }

  /** Advances time and fires due timers, each at its own time. Does not await promises that callbacks start. */
  tick(ms: number): void {
    const until = this.#elapsed + ms
    for (;;) {
      const next = this.#timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.#elapsed = Math.max(this.#elapsed, next.at)
      next.callback()
    }
    this.#elapsed = until
  }

  get pending(): number {
    return this.#timers.length
  }
}
