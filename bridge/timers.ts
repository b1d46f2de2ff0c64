// Time as a parameter: the scripted agent and the link wait through this, so that tests can wait for nothing.

export interface Timer {
  cancel(): void
}

/** The same shape as the daemon's clock. */
export interface Timers {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `callback` once after `ms`. */
  after(ms: number, callback: () => void): Timer
}

export const realTimers: Timers = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return { cancel: () => clearTimeout(timer) }
  },
}
