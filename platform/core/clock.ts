// Time as a parameter: the one file that asks the machine what time it is.

export interface Timer {
  cancel(): void
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since some moment: for how long something took or may take. Nobody sets it, unlike the time of day. */
  monotonic(): number
  /** Runs `callback` once after `ms`, by `monotonic`; a timer never keeps the process alive. */
  after(ms: number, callback: () => void): Timer
}

/** RFC 3339 UTC with milliseconds. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}

/** Longest delay a Node timer can hold; longer ones are taken in legs. */
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
 * A clock that stands still until a test moves it; timers fire in order of their time.
 * @testing
 */
export class TestClock implements Clock {
  #elapsed = 0
  /** Time of day at the beginning, and by how much it was set since. */
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

  /** Somebody sets the time of day, by so much; no time passes. */
  set(byMs: number): void {
    this.#start += byMs
  }

  /** Moves time and fires what falls due, each at its own time. Does not wait for promises the callbacks start. */
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
