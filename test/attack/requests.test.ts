import { describe, test } from 'vitest'
import { attack } from '../services/orchestrator/hostile/idle-orchestrator.ts'
import { counted } from '../support/counts.ts'
import { databaseOn, DATABASES } from '../support/databases.ts'
import { times } from './campaign.ts'

const SEEDS = times(10, 1)
const REQUESTS = 400

describe.each(DATABASES)('orchestrator on %s', (kind) => {
  test.each(Array.from({ length: SEEDS }, (_each, at) => at + 1))(
    'answers hostile requests of seed %i as documented',
    async (seed) => {
      const database = await databaseOn(kind)
      try {
        const { refused, taken } = await attack({ seed }, REQUESTS, database.url)
        counted('hostile requests to the orchestrator, refused', refused)
        counted('hostile requests to the orchestrator, accepted', taken)
      } finally {
        await database.remove()
      }
    },
    120_000,
  )
})
