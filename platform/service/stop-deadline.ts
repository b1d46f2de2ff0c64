// Waits for a part to stop, and no longer than it may take.
import type { Log } from '../core/log/log.ts'

/** Resolves when `work` has ended or `ms` are over; a part that fails or hangs is logged and left behind. */
export async function within(ms: number, log: Log, part: string, work: PromiseLike<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`did not stop within ${ms} ms`)), ms)
  })
  try {
    await Promise.race([work, late])
  } catch (error) {
    log.warn({ part, err: error }, 'part did not stop cleanly')
  } finally {
    clearTimeout(timer)
  }
}
