import { setTimeout as sleep } from 'node:timers/promises'

/** Limits of the polling interval: polling slows down the tested work. */
const OFTEN_MS = 10
const SELDOM_MS = 50
/** Interval as a share of the time waited. */
const SHARE_OF_WAIT = 0.05

/**
 * Polls `look` until it returns a value other than undefined, null, false and '' (a new file may be empty). Throws the
 * last error after `withinMs`. The default interval grows.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  withinMs = 60_000,
  everyMs?: number,
): Promise<Exclude<T, undefined | false | null>> {
  const started = Date.now()
  for (let failure: unknown = new Error('condition not met'); ;) {
    try {
      const value = await look()
      if (value !== undefined && value !== false && value !== null && value !== '')
        return value as Exclude<T, undefined | false | null>
    } catch (error) {
      failure = error
    }
    const waited = Date.now() - started
    if (waited > withinMs) throw failure
    await sleep(everyMs ?? Math.min(Math.max(OFTEN_MS, waited * SHARE_OF_WAIT), SELDOM_MS))
  }
}
