import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

const campaign = (value: string) => {
  vi.stubEnv('SVC_TEST_CAMPAIGN', value)
  vi.resetModules()
  return import('../attack/campaign.ts')
}
const TWELVE = Array.from({ length: 12 }, (_each, at) => at)

test('runs a full campaign by default', async () => {
  const { times, chosen, ofPoints } = await campaign('')
  expect([times(500), times(10, 2), chosen(TWELVE), ofPoints]).toEqual([500, 10, TWELVE, ''])
})

test('runs a tenth, and every fifth case from an offset, when brief', async () => {
  const { times, chosen, points, ofPoints } = await campaign('brief@2')
  expect([times(500), times(3), times(50, 25), times(2, 25)]).toEqual([50, 1, 25, 2])
  expect([chosen(TWELVE), points]).toEqual([[2, 7], { begin: 2, every: 5 }])
  expect(ofPoints).toBe(' (every 5th, from 3 on: brief@2)')
})

test('covers all enumerated cases in five days', async () => {
  const taken: number[] = []
  for (const day of [0, 1, 2, 3, 4]) {
    vi.useFakeTimers({ now: day * 86_400_000, toFake: ['Date'] })
    taken.push(...(await campaign('brief')).chosen(TWELVE))
    vi.useRealTimers()
  }
  expect(taken.sort((a, b) => a - b)).toEqual(TWELVE)
})

test('rejects an unknown value with the known ones', async () => {
  await expect(campaign('short')).rejects.toThrow('expected "brief" or "brief@0" to "brief@4"; got "short"')
})
