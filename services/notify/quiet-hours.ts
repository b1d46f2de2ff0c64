import type { QuietHours } from '../../schemas/notify/sinks.ts'
import { PRIORITIES, type Priority } from '../../schemas/notify/notification.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** Returns the end of the quiet hours around `now` (ms since 1970); null outside, or for an exempt priority. */
export function quietUntil(quiet: QuietHours | undefined, priority: Priority, now: number): number | null {
  if (!quiet) return null
  if (quiet.except !== undefined && PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf(quiet.except)) return null
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)]
  const at = minutesAt(now, quiet.timezone ?? 'UTC')
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES
  const passed = (at - from + DAY_MINUTES) % DAY_MINUTES
  if (passed >= length) return null
  // Inexact if the clocks change in between; the caller checks again then.
  return Math.floor(now / MINUTE_MS) * MINUTE_MS + (length - passed) * MINUTE_MS
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function minutesAt(now: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return minutesOf(format.format(now))
}
