import { expect, test } from 'vitest'
import { foresee } from '../../../controller/planning/windows.ts'
import type { SyncWindow } from '../../../schemas/sync/window.ts'

const at = (time: string, ...layers: SyncWindow[][]) => foresee(layers, Date.parse(time)).window
const allow = (schedule: string, duration: string, more: Partial<SyncWindow> = {}): SyncWindow => ({
  effect: 'allow',
  schedule,
  duration,
  ...more,
})
const deny = (schedule: string, duration: string, more: Partial<SyncWindow> = {}): SyncWindow => ({
  ...allow(schedule, duration, more),
  effect: 'deny',
})
const nightly = allow('0 22 * * *', '2h')
const friday = deny('0 0 * * 5', '1d')

test.each<[what: string, time: string, layers: SyncWindow[][], open: boolean, next: string | null]>([
  ['is closed before the start of a window', '2030-01-01T21:59:59Z', [[nightly]], false, '2030-01-01T22:00:00.000Z'],
  ['opens at the exact second', '2030-01-01T22:00:00Z', [[nightly]], true, '2030-01-02T00:00:00.000Z'],
  ['closes at the exact second', '2030-01-02T00:00:00Z', [[nightly]], false, '2030-01-02T22:00:00.000Z'],
  ['is open outside of a deny window', '2030-01-03T12:00:00Z', [[friday]], true, '2030-01-04T00:00:00.000Z'],
  ['is closed inside a deny window', '2030-01-04T12:00:00Z', [[friday]], false, '2030-01-05T00:00:00.000Z'],
  [
    'prefers deny windows to allow windows',
    '2030-01-04T22:30:00Z',
    [[nightly, friday]],
    false,
    '2030-01-05T22:00:00.000Z',
  ],
  [
    'opens in any of several allow windows',
    '2030-01-01T12:30:00Z',
    [[nightly, allow('0 12 * * *', '1h')]],
    true,
    '2030-01-01T13:00:00.000Z',
  ],
  [
    'joins overlapping windows',
    '2030-01-01T22:30:00Z',
    [[nightly, allow('0 23 * * *', '3h')]],
    true,
    '2030-01-02T02:00:00.000Z',
  ],
  [
    'requires every layer to be open',
    '2030-01-01T22:30:00Z',
    [[nightly], [allow('0 23 * * *', '30m')]],
    false,
    '2030-01-01T23:00:00.000Z',
  ],
  ['forecasts no change if always allowed', '2030-01-01T00:00:00Z', [[allow('* * * * *', '2m')]], true, null],
  ['forecasts no change if always denied', '2030-01-01T00:00:00Z', [[nightly, deny('* * * * *', '2m')]], false, null],
  [
    'applies a time zone in winter',
    '2030-01-01T21:30:00Z',
    [[allow('30 22 * * *', '1h', { timezone: 'Europe/Vienna' })]],
    true,
    '2030-01-01T22:30:00.000Z',
  ],
  [
    'applies a time zone in summer',
    '2030-07-01T20:29:59Z',
    [[allow('30 22 * * *', '1h', { timezone: 'Europe/Vienna' })]],
    false,
    '2030-07-01T20:30:00.000Z',
  ],
])('%s', (_what, time, layers, open, next) => {
  expect(at(time, ...layers)).toEqual({ open, manual: open, changes_at: next })
})

test('lets requests write if the closed window allows it', () => {
  const noon = '2030-01-04T12:00:00Z'
  const asked = { manual: true }
  expect(at(noon, [allow('0 22 * * *', '2h', asked)])).toMatchObject({ open: false, manual: true })
  expect(at(noon, [nightly])).toMatchObject({ open: false, manual: false })
  expect(at(noon, [deny('0 0 * * 5', '1d', asked)])).toMatchObject({ manual: true })
  expect(at(noon, [deny('0 0 * * 5', '1d', asked), friday])).toMatchObject({ manual: false })
  expect(at(noon, [deny('0 0 * * 5', '1d', asked), nightly])).toMatchObject({ manual: false })
  expect(at(noon, [allow('0 22 * * *', '2h', asked)], [nightly])).toMatchObject({ manual: false })
})

test('ends a forecast when the rule for manual requests changes', () => {
  const asked = { manual: true }
  const layers = [[deny('0 0 * * 5', '1d', asked), deny('0 12 * * *', '1h')]]
  expect(foresee(layers, Date.parse('2030-01-04T11:00:00Z'))).toEqual({
    window: { open: false, manual: true, changes_at: '2030-01-05T00:00:00.000Z' },
    until: Date.parse('2030-01-04T12:00:00Z'),
  })
})

test('forecasts no change for windows without gaps', () => {
  const hourly = foresee([[allow('0 * * * *', '1h')]], Date.parse('2030-01-01T00:30:00Z'))
  expect(hourly.window).toEqual({ open: true, manual: true, changes_at: null })
  expect(hourly.until).toBeGreaterThan(Date.parse('2030-01-08T00:00:00Z'))
})
