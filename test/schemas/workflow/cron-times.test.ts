import { expect, test } from 'vitest'
import { cronTimes } from '../../../schemas/workflow/cron-times.ts'
import { expectDocumentedTimes, following, iso } from './clock-changes.ts'

test.each([
  ['repeats an hour', 'Europe/London', '2026-10-25T01:00:00Z'],
  ['skips an hour', 'Europe/Vienna', '2026-03-29T01:00:00Z'],
  ['repeats half an hour', 'Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['skips two hours', 'Antarctica/Troll', '2026-03-29T01:00:00Z'],
  ['skips the hour before midnight', 'America/Scoresbysund', '2026-03-29T01:00:00Z'],
  ['skips the hour after midnight', 'America/Santiago', '2026-09-06T04:00:00Z'],
])('fires as documented where a clock change %s: %s', (_what, zone, change) => {
  expectDocumentedTimes(zone, Date.parse(change))
})

test('counts the seconds of an expression with six fields', () => {
  const times = cronTimes('0,30 0 1 * * *', 'Europe/London')
  expect(iso(following(times, Date.UTC(2026, 9, 24, 23), Date.UTC(2026, 9, 25, 3)))).toEqual([
    '2026-10-25T00:00:00.000Z',
    '2026-10-25T00:00:30.000Z',
  ])
  expect(iso(following(times, Date.UTC(2026, 2, 29), Date.UTC(2026, 2, 29, 3)))).toEqual(['2026-03-29T01:00:00.000Z'])
})

test('returns null before and after a date that does not exist', () => {
  const times = cronTimes('0 1 30 2 *', 'Europe/London')
  expect([times.next(0), times.last(0)]).toEqual([null, null])
})
