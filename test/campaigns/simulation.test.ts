// `npm run campaign -- simulation --seeds N` covers many histories.
import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { counted } from '../support/counts.ts'
import { overSeeds, patience, seedsOf } from './seeds.ts'
import { simulate } from './simulation.ts'

const seeds = seedsOf(6)
const AGAIN = 3
/** A seed with many retries. */
const WITH_RETRIES = 4

afterEach(() => vi.restoreAllMocks())

test('converges in every history without breaking a law', { timeout: patience(seeds) }, async () => {
  let [faults, calls] = [0, 0]
  const all = createHash('sha256')
  await overSeeds(seeds, async (seed) => {
    const history = await simulate(seed)
    expect(history.broken, history.trace.slice(-40).join('\n')).toEqual([])
    faults += history.faults
    calls += history.trace.length
    all.update(history.trace.join('\n'))
  })
  counted('histories', seeds.length)
  counted('events', calls)
  counted('faults', faults)
  console.log(`digest of all traces: ${all.digest('hex').slice(0, 16)}`)
})

test('returns the same trace for the same seed only', { timeout: patience(seeds) }, async () => {
  const digests = new Set<string>()
  await overSeeds(seeds.slice(0, AGAIN), async (seed) => {
    const [first, second] = [await simulate(seed), await simulate(seed)]
    expect(second.trace).toEqual(first.trace)
    digests.add(first.trace.join('\n'))
  })
  expect(digests.size).toBe(Math.min(AGAIN, seeds.length))
})

test('does not depend on Math.random', { timeout: patience(seeds) }, async () => {
  const traces: string[][] = []
  for (const chance of [0, 0.99]) {
    vi.spyOn(Math, 'random').mockReturnValue(chance)
    traces.push((await simulate(WITH_RETRIES)).trace)
  }
  expect(traces[1]).toEqual(traces[0])
})
