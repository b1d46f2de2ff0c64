// Rows that grow with time are dropped by their age, beside everything else.
import { background, type Background } from '../async/background.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log/log.ts'

const EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

export interface RetentionOptions {
  clock: Clock
  log: Log
  /** What the work is called in the log: `audit trim`. */
  name: string
  /** Days that rows are kept. */
  days: number
  /** Drops what is older than `before` (RFC 3339), in small batches; ends early at `signal`. Returns how many. */
  trim(before: string, signal: AbortSignal): Promise<number>
}

/** Trims at once and then every hour, until it is stopped: `await retention.stop()`. */
export function retention({ clock, log, name, days, trim }: RetentionOptions): Background {
  const work = async (signal: AbortSignal) => {
    const before = new Date(clock.now() - days * DAY_MS).toISOString()
    const rows = await trim(before, signal)
    if (rows > 0) log.info({ task: name, rows, before }, 'old rows were dropped')
  }
  return background({ clock, log, name, everyMs: EVERY_MS, atOnce: true, work })
}
