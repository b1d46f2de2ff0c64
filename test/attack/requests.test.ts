// Thousands of requests with one hostile thing in each: answered as documented, and no row is changed by what is
// refused. The same seeds each time, each on a daemon and a database of its own.
import { describe, test } from 'vitest'
import { attack } from '../services/orchestrator/hostile/still.ts'
import { counted } from '../support/counts.ts'
import { databaseOn, DATABASES } from '../support/databases.ts'
import { times } from './campaign.ts'

const SEEDS = times(10, 1)
const REQUESTS = 400

describe.each(DATABASES)('on %s', (kind) => {
  test.each(Array.from({ length: SEEDS }, (_each, at) => at + 1))(
    'hostile requests of seed %i are answered as documented, and change nothing when they are refused',
    async (seed) => {
      const database = await databaseOn(kind)
      try {
        const { refused, taken } = await attack({ seed }, REQUESTS, database.url)
        counted('hostile requests to the orchestrator, refused', refused)
        counted('hostile requests to the orchestrator, taken', taken)
      } finally {
        await database.remove()
      }
    },
    120_000,
  )
})
