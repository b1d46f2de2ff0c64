import { cronTimes } from '../../../schemas/workflow/cron-times.ts'
import { NEXT_FIRINGS, type WorkflowSchedule } from '../../../schemas/workflow/firing.ts'
import type { StoredTrigger } from '../record/tables.ts'

/** `running`: null while the workflow is disabled. Times are in milliseconds since 1970; `due`: of the trigger. */
export function scheduleOf(
  { type, expression, timezone }: StoredTrigger,
  running: { now: number; due: number | null } | null,
): WorkflowSchedule {
  if (type === 'cron') {
    const zone = timezone as string
    const next = running ? nextTimes(expression as string, zone, running.now) : []
    return { timezone: zone, next: next.map((time) => localTime(time, zone)) }
  }
  const due = type === 'delay' ? (running?.due ?? null) : null
  return { timezone: null, next: due === null ? [] : [new Date(due).toISOString()] }
}

function nextTimes(expression: string, timezone: string, now: number): number[] {
  const times = cronTimes(expression, timezone)
  const found: number[] = []
  for (let at = times.next(now); at !== null && found.length < NEXT_FIRINGS; at = times.next(at)) found.push(at)
  return found
}

const MINUTE_MS = 60_000

/** RFC 3339, with the offset of the time zone. */
function localTime(time: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' }).formatToParts(time)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = '00', minutes = '00'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
  const offset = Number(`${sign}${Number(hours) * 60 + Number(minutes)}`) * MINUTE_MS
  return `${new Date(time + offset).toISOString().slice(0, 19)}${sign}${hours}:${minutes}`
}
