const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const SHORT_TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short' })
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const LONG_WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long' })
const YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

const DAY_MS = 24 * 60 * 60 * 1000

/** Days between two times in the local zone; clock changes do not count. */
function daysBetween(earlier: Date, later: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((midnight(later) - midnight(earlier)) / DAY_MS)
}

/** "14:11:41" in the local zone. */
export const clockText = (at: number): string => TIME.format(at)

/** Time today, weekday and time within a week, else the date: "14:11", "Mon 16:02", "12 Nov", "12 Nov 2025". */
export function dateText(at: number, now: number): string {
  const [date, today] = [new Date(at), new Date(now)]
  const days = daysBetween(date, today)
  if (days === 0) return SHORT_TIME.format(date)
  if (days > 0 && days < 7) return `${WEEKDAY.format(date)} ${SHORT_TIME.format(date)}`
  return date.getFullYear() === today.getFullYear() ? DATE.format(date) : YEAR.format(date)
}

/** Heading of a day: "Today", "Yesterday", "Monday", "12 Nov". */
export function dayText(at: number, now: number): string {
  const [date, today] = [new Date(at), new Date(now)]
  const days = daysBetween(date, today)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < 7) return LONG_WEEKDAY.format(date)
  return date.getFullYear() === today.getFullYear() ? DATE.format(date) : YEAR.format(date)
}
