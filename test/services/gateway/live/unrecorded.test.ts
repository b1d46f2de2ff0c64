import { expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { UnrecordedChanges } from '../../../../services/gateway/live/unrecorded.ts'

test('finds the ids of a topic that have changed since a time', () => {
  const clock = new TestClock()
  const changes = new UnrecordedChanges(clock)
  const start = clock.now() / 1000
  changes.add('agents', 'early')
  changes.add('agents', 'both')
  changes.add('inbox', 'source/main')
  clock.tick(300_000)
  changes.add('agents', 'late')
  changes.add('agents', 'both')
  expect([...changes.since('agents', start)].toSorted()).toEqual(['both', 'early', 'late'])
  // The clock of the database may differ by a minute.
  expect([...changes.since('agents', start + 60)].toSorted()).toEqual(['both', 'early', 'late'])
  expect([...changes.since('agents', start + 120)].toSorted()).toEqual(['both', 'late'])
  expect([...changes.since('agents', start + 400)]).toEqual([])
  expect([...changes.since('things', 0)]).toEqual([])
})
