// Separate, so that clients do not load the cron parser.
import { Cron, CronDate, CronPattern } from 'croner'

const DAY_MS = 86_400_000

/** Times of a cron expression, in milliseconds since 1970. */
export interface CronTimes {
  /** Returns the first time after `time`, or null. */
  next(time: number): number | null
  /** Returns the last time at or before `time`, or null. */
  last(time: number): number | null
}

/**
 * An expression for every hour follows elapsed time: it continues through a repeated hour and skips what a clock change
 * skips. Any other expression names times of day: a repeated one counts once, a skipped one when the skipped hour ends.
 * Throws an Error if `expression` or `timezone` is invalid.
 */
export function cronTimes(expression: string, timezone: string): CronTimes {
  const isHourly = new CronPattern(expression).hour.every(Boolean)
  return isHourly ? new ElapsedTimes(expression, timezone) : new TimesOfDay(expression, timezone)
}

class ElapsedTimes implements CronTimes {
  readonly #cron: Cron

  constructor(expression: string, timezone: string) {
    this.#cron = new Cron(expression, { timezone, paused: true })
  }

  next(time: number): number | null {
    return this.#cron.nextRun(new Date(time))?.getTime() ?? null
  }

  last(time: number): number | null {
    return lastRun(this.#cron, time)
  }
}

/**
 * Finds local times in UTC and converts them. The library handles lists of hours differently from a single hour, and
 * drops a time that was skipped before midnight.
 */
class TimesOfDay implements CronTimes {
  readonly #cron: Cron
  readonly #timezone: string

  constructor(expression: string, timezone: string) {
    this.#cron = new Cron(expression, { timezone: 'UTC', paused: true })
    this.#timezone = timezone
  }

  next(time: number): number | null {
    for (let local: number | null = time + this.#offset(time); ;) {
      local = this.#cron.nextRun(new Date(local))?.getTime() ?? null
      if (local === null) return null
      const at = this.#instant(local)
      if (at > time) return at
    }
  }

  last(time: number): number | null {
    // In a repeated hour, later local times have already passed.
    for (let local: number | null = time + Math.max(this.#offset(time), this.#offset(time - DAY_MS)); ;) {
      local = lastRun(this.#cron, local)
      if (local === null) return null
      const at = this.#instant(local)
      if (at <= time) return at
      local -= 1000
    }
  }

  /** Returns when clocks first show `local` or a later time. */
  #instant(local: number): number {
    const [early, late] = [this.#offset(local - DAY_MS), this.#offset(local + DAY_MS)]
    if (early === late || this.#offset(local - early) === early) return local - early
    if (this.#offset(local - late) === late) return local - late
    // The time was skipped: find the first second after the change.
    let [before, after] = [Math.floor((local - late) / 1000), Math.floor((local - early) / 1000)]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (this.#offset(middle * 1000) === late) after = middle
      else before = middle
    }
    return after * 1000
  }

  #offset(time: number): number {
    const { year, month, day, hour, minute, second } = new CronDate(new Date(time), this.#timezone)
    return Date.UTC(year, month, day, hour, minute, second) - Math.floor(time / 1000) * 1000
  }
}

/** `previousRuns` works in whole seconds and excludes its argument. */
function lastRun(cron: Cron, time: number): number | null {
  const runs = cron.previousRuns(2, new Date(time + 1000)).map((run) => run.getTime())
  return runs.find((run) => run <= time) ?? null
}
