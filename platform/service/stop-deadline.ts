// Waits for a part to stop, and no longer than it may take.
import { withDeadline } from '../async/deadline.ts'
import type { Log } from '../core/log/log.ts'

/** Resolves when `work` has ended or `ms` are over; a part that fails or hangs is logged and left behind. */
export async function within(ms: number, log: Log, part: string, work: PromiseLike<unknown>): Promise<void> {
  await withDeadline(ms, work, () => new Error(`did not stop within ${ms} ms`)).catch((error: unknown) => {
    log.warn({ part, err: error }, 'part did not stop cleanly')
  })
}
