// Walks minutes with Intl.DateTimeFormat only, without a cron library.
const MINUTE = 60_000
const STEP = 24 * 60 * MINUTE
const AROUND = 27 * 60

/** `local` is in minutes since 1970 as the clocks show them. */
export interface Minute {
  at: number
  local: number
}

export interface ClockChange {
  title: string
  zone: string
  /** First minute after the change. */
  at: number
}

function clockOf(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  return (at) => {
    const [month, day, year, hour, minute] = format.format(at).match(/\d+/g)!.map(Number)
    return Date.UTC(year!, month! - 1, day, hour, minute) / MINUTE
  }
}

/** Finds all changes from `from` to `to`; zones that change in the same way at the same time count once. */
export function clockChanges(from: number, to: number): ClockChange[] {
  const found = new Map<string, ClockChange>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const clock = clockOf(zone)
    const ahead = (at: number) => clock(at) - at / MINUTE
    let offset = ahead(from)
    for (let at = from; at < to; at += STEP) {
      const before = offset
      offset = ahead(at + STEP)
      if (offset === before) continue
      let after = at
      while (ahead(after) === before) after += MINUTE
      const title = `${new Date(after).toISOString()} by ${ahead(after) - before} minutes from ${before}`
      if (!found.has(title)) found.set(title, { title: `${title} in ${zone}`, zone, at: after })
    }
  }
  return [...found.values()]
}

export function minutesAround(zone: string, change: number): Minute[] {
  const clock = clockOf(zone)
  const minutes: Minute[] = []
  for (let each = -AROUND; each <= AROUND; each++) {
    const at = change + each * MINUTE
    minutes.push({ at, local: clock(at) })
  }
  return minutes
}

/** Returns when `expression` fires, except in the last minute. */
export function firesIn(minutes: readonly Minute[], expression: string): number[] {
  const [minute, hour, , , weekday] = expression.split(' ') as [string, string, string, string, string]
  const [inMinutes, inHours, onDays] = [valuesOf(minute, 60), valuesOf(hour, 24), valuesOf(weekday, 7)]
  const matches = (local: number) =>
    inMinutes.has(local % 60) &&
    inHours.has(Math.floor(local / 60) % 24) &&
    onDays.has(new Date(local * MINUTE).getUTCDay())
  let shown = minutes[0]!.local - 1
  return minutes.slice(0, -1).flatMap(({ at, local }) => {
    let fires = inHours.size === 24 && matches(local)
    for (; shown < local; shown++) fires ||= inHours.size < 24 && matches(shown + 1)
    return fires ? [at] : []
  })
}

function valuesOf(field: string, count: number): Set<number> {
  const values = new Set<number>()
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/')
    const [first, last = first] = range === '*' ? [0, count - 1] : range.split('-').map(Number)
    for (let value = first!; value <= last!; value += Number(step)) values.add(value)
  }
  return values
}
