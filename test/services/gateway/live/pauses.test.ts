import { expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { Pauses } from '../../../../services/gateway/live/pauses.ts'

const clock = new TestClock()
const pauses = new Pauses(clock)
const pauseSecs = (topic: string): number => {
  pauses.add(topic)
  let secs = 0
  for (; pauses.has(topic); secs++) clock.tick(1000)
  return secs
}

test('pauses a topic for up to 30 seconds, then shortly again', () => {
  expect(pauses.has('a')).toBe(false)
  expect([1, 2, 3, 4, 5, 6, 7].map(() => pauseSecs('a'))).toEqual([1, 2, 4, 8, 16, 30, 30])
  expect(pauseSecs('b')).toBe(1)
  pauses.delete('a')
  expect(pauseSecs('a')).toBe(1)
})
