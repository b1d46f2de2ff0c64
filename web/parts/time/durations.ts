const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Age in its largest unit: "0.2 s", "41 s", "22 m", "6 h", "3 d". A future time has the age 0. */
export function ageText(ms: number): string {
  const age = Math.max(ms, 0)
  if (age < SECOND) return `${(Math.floor(age / 100) / 10).toString()} s`
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s`
  if (age < HOUR) return `${Math.floor(age / MINUTE)} m`
  if (age < DAY) return `${Math.floor(age / HOUR)} h`
  return `${Math.floor(age / DAY)} d`
}

const padded = (value: number) => value.toString().padStart(2, '0')

/** Time left as "2:41" or "1:02:03", rounded up, so that 0:00 means over. */
export function remainingText(ms: number): string {
  const seconds = Math.max(Math.ceil(ms / SECOND), 0)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const tail = padded(seconds % 60)
  return hours > 0 ? `${hours}:${padded(minutes)}:${tail}` : `${minutes}:${tail}`
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** Time left in words for assistive technology: "2 minutes 41 seconds". */
export function remainingWords(ms: number): string {
  const seconds = Math.max(Math.ceil(ms / SECOND), 0)
  const parts = [
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ] as const
  const words = parts.filter(([count]) => count > 0).map(([count, unit]) => counted(count, unit))
  return words.length === 0 ? '0 seconds' : words.slice(0, 2).join(' ')
}

/** Part of the time from `from` to `until` that is left, 0 to 1. */
export function shareLeft(from: number, until: number, now: number): number {
  if (until <= from) return 0
  return Math.min(Math.max((until - now) / (until - from), 0), 1)
}

/** The deadline below which the page announces it assertively, in milliseconds. */
export const URGENT_MS = MINUTE
