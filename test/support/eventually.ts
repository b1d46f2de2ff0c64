// Waits for a condition, not for time.
import { setTimeout as sleep } from 'node:timers/promises'

/** Looks take their time of a machine that is to get on with what they wait for. */
const OFTEN_MS = 10
const SELDOM_MS = 50
/** Of the time waited so far: a look comes no later than that, until looks are seldom. */
const SHARE_OF_WAIT = 0.05

/**
 * Calls `look` every `everyMs` until it neither throws nor gives undefined, null, false or nothing in a text
 * (a file that is made is not written yet); gives up after `withinMs` with the last failure. Without `everyMs` it
 * looks every 10 ms at first, and more seldom when that has lasted, every 50 ms at last.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  withinMs = 20_000,
  everyMs?: number,
): Promise<Exclude<T, undefined | false | null>> {
  const started = Date.now()
  for (let failure: unknown = new Error('the condition never held'); ;) {
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
