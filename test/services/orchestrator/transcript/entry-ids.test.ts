import { expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { EntryIds } from '../../../../services/orchestrator/transcript/entry-ids.ts'

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('sort in the order of their creation within a millisecond', () => {
  const ids = new EntryIds(new TestClock())
  const made = Array.from({ length: 10_000 }, () => ids.next())
  expect(made.every((id) => UUID_7.test(id))).toBe(true)
  expect(made.toSorted()).toEqual(made)
  expect(new Set(made).size).toBe(made.length)
})

test('sort after earlier ones when the clock was set back', () => {
  const clock = new TestClock()
  const before = new EntryIds({ now: () => clock.now() + 60_000 }).next()
  const ids = new EntryIds(clock)
  ids.continueAfter(before)
  expect(ids.next() > before).toBe(true)
  ids.continueAfter(new EntryIds({ now: () => clock.now() - 60_000 }).next())
  const later = ids.next()
  expect(later > before).toBe(true)
  clock.tick(120_000)
  expect(ids.next() > later).toBe(true)
})
