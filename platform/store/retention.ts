import { background, type Background } from '../async/background.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log/log.ts'

const EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

export interface RetentionOptions {
  clock: Clock
  log: Log
  name: string
  days: number
  /** Deletes rows older than `before` (RFC 3339); stops at `signal`. Returns their number. */
  trim(before: string, signal: AbortSignal): Promise<number>
}

/** Trims immediately and then every hour. */
export function retention({ clock, log, name, days, trim }: RetentionOptions): Background {
  const work = async (signal: AbortSignal) => {
    const before = new Date(clock.now() - days * DAY_MS).toISOString()
    const rows = await trim(before, signal)
    if (rows > 0) log.info({ task: name, rows, before }, 'old rows deleted')
  }
  return background({ clock, log, name, everyMs: EVERY_MS, atOnce: true, work })
}
