// What the orchestrator refuses changes nothing that is on record, whatever is sent: a few hundred requests of the
// day's seed. `npm run test:attack -- test/attack/requests.test.ts` sends thousands.
import { expect, test } from 'vitest'
import { attack } from './still.ts'

const DAY_MS = 86_400_000
const REQUESTS = 250

test('a request with one hostile thing in it is answered as documented, and changes no row when it is refused', async () => {
  const seed = Math.floor(Date.now() / DAY_MS)
  const { refused, taken, faults } = await attack(seed, REQUESTS)
  console.log(`hostile requests of seed ${seed}: ${refused} refused, ${taken} taken`)
  expect(faults).toEqual([])
  expect(refused).toBeGreaterThan(REQUESTS / 4)
  expect(taken).toBeGreaterThan(0)
})
