// Time as a parameter: the one file that asks the machine what time it is.

export interface Timer {
  cancel(): void
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `callback` once after `ms`; a timer never keeps the process alive. */
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
  #now: number
  #timers: { at: number; callback: () => void }[] = []

  constructor(start = Date.UTC(2030, 0, 1)) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  after(ms: number, callback: () => void): Timer {
    const timer = { at: this.#now + ms, callback }
    this.#timers.push(timer)
    return { cancel: () => void (this.#timers = this.#timers.filter((other) => other !== timer)) }
  }

  /** Moves time and fires what falls due, each at its own time. Does not wait for promises the callbacks start. */
  tick(ms: number): void {
    const until = this.#now + ms
    for (;;) {
      const next = this.#timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.#now = Math.max(this.#now, next.at)
      next.callback()
    }
    this.#now = until
  }

  get pending(): number {
    return this.#timers.length
  }
}
