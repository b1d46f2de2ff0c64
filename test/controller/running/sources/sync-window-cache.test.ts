import { expect, test } from 'vitest'
import { windowOf } from '../../../../controller/running/sources/sync-window.ts'
import type { SourceSync } from '../../../../schemas/source.ts'

const NOON = Date.UTC(2030, 0, 1, 12)
const HOUR = 3_600_000
/** New objects, as if parsed again. */
const frozen = (): SourceSync[] => [{ windows: [{ effect: 'deny', schedule: '* * * * *', duration: '1d' }] }]
const nightly = (): SourceSync[] => [{ windows: [{ effect: 'allow', schedule: '0 22 * * *', duration: '2h' }] }]

test('caches the state while valid and recomputes it after clock changes', () => {
  const closed = windowOf(nightly(), NOON)
  expect(closed).toEqual({ open: false, manual: false, changes_at: '2030-01-01T22:00:00.000Z' })
  expect(windowOf(nightly(), NOON + 9 * HOUR)).toBe(closed)
  const open = windowOf(nightly(), NOON + 10 * HOUR)
  expect(open).toEqual({ open: true, manual: true, changes_at: '2030-01-02T00:00:00.000Z' })
  expect(windowOf(nightly(), NOON)).toEqual(closed)
})

test('caches the state of a window that never opens', () => {
  const first = windowOf(frozen(), NOON)
  expect(first).toEqual({ open: false, manual: false, changes_at: null })
  for (let minute = 1; minute < 60; minute++) expect(windowOf(frozen(), NOON + minute * 60_000)).toBe(first)
})

test('distinguishes windows that differ only in their effect', () => {
  const denied: SourceSync[] = [{ windows: [{ ...nightly()[0]!.windows![0]!, effect: 'deny' }] }]
  expect(windowOf(nightly(), NOON)?.open).toBe(false)
  expect(windowOf(denied, NOON)?.open).toBe(true)
  expect(windowOf([{}, undefined], NOON)).toBeNull()
})
