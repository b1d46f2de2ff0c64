import { expect } from 'vitest'
import { foresee } from '../../../controller/planning/windows.ts'
import { cronTimes, type CronTimes } from '../../../schemas/workflow/cron-times.ts'
import { firesIn, minutesAround } from './clock-oracle.ts'

const EXPRESSIONS = [
  '30 1 * * *',
  '30 2 * * *',
  '0 0 * * *',
  '30 23 * * 6',
  '0,30 1 * * *',
  '0 1,2,13 * * *',
  '0 0-3 * * *',
  '10-50/20 22-23,0-2 * * *',
  '0 */2 * * *',
  '45 1-23/2 * * 0,6',
  '*/15 2 * * *',
  '15 * * * *',
  '*/15 * * * *',
  '20 0-23 * * 0',
]
const WINDOWS = ['0 0-3 * * *', '30 1,2,23 * * *']

export const iso = (times: readonly number[]) => times.map((time) => new Date(time).toISOString())

/** Compares cron times and openings of sync windows with the oracle, a day before and after the change. */
export function expectDocumentedTimes(zone: string, change: number): void {
  const minutes = minutesAround(zone, change)
  const [from, to] = [minutes[0]!.at, minutes.at(-1)!.at]
  for (const expression of EXPRESSIONS) {
    const expected = iso(firesIn(minutes, expression))
    const times = cronTimes(expression, zone)
    expect(iso(following(times, from, to)), `${expression} forwards`).toEqual(expected)
    expect(iso(preceding(times, from, to)), `${expression} backwards`).toEqual(expected)
  }
  for (const schedule of WINDOWS)
    expect(iso(openings(schedule, zone, from, to)), `window ${schedule}`).toEqual(iso(firesIn(minutes, schedule)))
}

export function following(times: CronTimes, from: number, to: number): number[] {
  const found: number[] = []
  for (let at = times.next(from - 1); at !== null && at < to; at = times.next(at)) found.push(at)
  return found
}

function preceding(times: CronTimes, from: number, to: number): number[] {
  const found: number[] = []
  for (let at = times.last(to - 1); at !== null && at >= from; at = times.last(at - 1)) found.unshift(at)
  return found
}

function openings(schedule: string, timezone: string, from: number, to: number): number[] {
  const layers = [[{ effect: 'allow' as const, schedule, duration: '1m', timezone }]]
  const found: number[] = []
  for (let time = from - 1; ;) {
    const { window } = foresee(layers, time)
    time = Date.parse(window.changes_at!)
    if (time >= to) return found
    if (!window.open) found.push(time)
  }
}
