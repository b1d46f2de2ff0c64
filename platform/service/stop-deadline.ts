import { withDeadline } from '../async/deadline.ts'
import type { Log } from '../core/log/log.ts'

/** Resolves after `ms` milliseconds at most; logs a failure or time-out. */
export async function within(ms: number, log: Log, part: string, work: PromiseLike<unknown>): Promise<void> {
  await withDeadline(ms, work, () => new Error(`did not stop within ${ms} ms`)).catch((error: unknown) => {
    log.warn({ part, err: error }, 'part did not stop cleanly')
  })
}
