// Thousands of requests with one hostile thing in each: answered as documented, and no row is changed by what is
// refused. The same seeds each time, on a daemon each.
import { expect, test } from 'vitest'
import { attack } from '../services/orchestrator/hostile/still.ts'
import { counted } from '../support/counts.ts'
import { times } from './campaign.ts'

const SEEDS = times(20, 2)
const REQUESTS = 400

test.each(Array.from({ length: SEEDS }, (_each, at) => at + 1))(
  'hostile requests of seed %i are answered as documented, and change nothing when they are refused',
  async (seed) => {
    const { refused, taken, faults } = await attack(seed, REQUESTS)
    expect(faults).toEqual([])
    counted('hostile requests to the orchestrator, refused', refused)
    counted('hostile requests to the orchestrator, taken', taken)
  },
  120_000,
)
