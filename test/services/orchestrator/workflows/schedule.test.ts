import { expect, test } from 'vitest'
import { scheduleOf } from '../../../../services/orchestrator/workflows/schedule.ts'

const at = (time: string, due: string | null = null) => ({
  now: Date.parse(time),
  due: due === null ? null : Date.parse(due),
})
const cron = (expression: string, timezone: string) => ({ type: 'cron' as const, expression, timezone })

test('lists the next five times with the offset of the time zone', () => {
  expect(scheduleOf(cron('30 2 * * *', 'Europe/Vienna'), at('2030-03-29T12:00:00Z'))).toEqual({
    timezone: 'Europe/Vienna',
    next: [
      '2030-03-30T02:30:00+01:00',
      // 02:30 does not exist that night.
      '2030-03-31T03:00:00+02:00',
      '2030-04-01T02:30:00+02:00',
      '2030-04-02T02:30:00+02:00',
      '2030-04-03T02:30:00+02:00',
    ],
  })
})

test.each([
  ['UTC', '2030-01-01T09:00:00+00:00'],
  ['America/St_Johns', '2030-01-01T09:00:00-03:30'],
  ['Asia/Kathmandu', '2030-01-01T09:00:00+05:45'],
])('writes offsets of %s', (timezone, first) => {
  expect(scheduleOf(cron('0 9 * * *', timezone), at('2030-01-01T02:00:00Z')).next[0]).toBe(first)
})

test('lists fewer times if the expression has no more', () => {
  expect(scheduleOf(cron('0 0 30 2 *', 'UTC'), at('2030-01-01T00:00:00Z')).next).toEqual([])
})

test('lists the time of a delay, and nothing of other triggers', () => {
  const now = at('2030-01-01T00:00:00Z', '2030-01-01T01:00:00Z')
  expect(scheduleOf({ type: 'delay' }, now)).toEqual({ timezone: null, next: ['2030-01-01T01:00:00.000Z'] })
  expect(scheduleOf({ type: 'forge_issues' }, now)).toEqual({ timezone: null, next: [] })
})

test('lists nothing while the workflow is disabled', () => {
  expect(scheduleOf(cron('0 9 * * *', 'UTC'), null)).toEqual({ timezone: 'UTC', next: [] })
  expect(scheduleOf({ type: 'delay' }, null)).toEqual({ timezone: null, next: [] })
})
