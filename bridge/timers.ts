export interface Timer {
  cancel(): void
}

export interface Timers {
  /** Milliseconds since 1970. */
  now(): number
  after(ms: number, callback: () => void): Timer
}

export const realTimers: Timers = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return { cancel: () => clearTimeout(timer) }
  },
}
