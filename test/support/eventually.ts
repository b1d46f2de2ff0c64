// Waits for a condition, not for time.
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Calls `look` every `everyMs` until it neither throws nor gives undefined, null, false or nothing in a text
 * (a file that is made is not written yet); gives up after `withinMs` with the last failure.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  withinMs = 10_000,
  everyMs = 10,
): Promise<Exclude<T, undefined | false | null>> {
  const deadline = Date.now() + withinMs
  for (let failure: unknown = new Error('the condition never held'); ;) {
    try {
      const value = await look()
      if (value !== undefined && value !== false && value !== null && value !== '')
        return value as Exclude<T, undefined | false | null>
    } catch (error) {
      failure = error
    }
    if (Date.now() > deadline) throw failure
    await sleep(everyMs)
  }
}
