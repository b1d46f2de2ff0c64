// What the orchestrator refuses changes nothing that is on record, whatever is sent: a few hundred requests of the
// day's seed. `npm run campaign -- attack test/attack/requests.test.ts` sends thousands.
import { expect, test } from 'vitest'
import { orchestratorOperations } from '../../../../schemas/operations/orchestrator/index.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { requestsTo, type Fuzzed } from './requests.ts'
import { searchFault, startOf } from './search.ts'
import { attack } from './still.ts'

const REQUESTS = 250
const start = startOf(process.env.SVC_TEST_HOSTILE)

onEachDatabase((database) => {
  test('a request with one hostile thing in it is answered as documented, and changes no row when it is refused', async () => {
    const { refused, taken } = await attack(start, REQUESTS, database.url)
    console.log(`hostile requests of seed ${start.seed}: ${refused} refused, ${taken} taken`)
    if (start.path !== undefined) return
    expect(refused).toBeGreaterThan(REQUESTS / 4)
    expect(taken).toBeGreaterThan(0)
  }, 60_000)
})

const { createAgent, pushTask } = orchestratorOperations.operations
const requests = requestsTo([createAgent, pushTask])
const LONGEST_TAKEN = 5000
/** A fault that only a text of some length in a request to one of them has. */
const tooLong = ({ operation, body = '' }: Fuzzed) =>
  Promise.resolve(operation.id === pushTask.id && body.length > LONGEST_TAKEN ? 'answered 500' : null)

test('of requests that show a fault the least is told, and what plays it again', async () => {
  const told = await searchFault(requests, { seed: 7 }, 500, tooLong).catch((error: Error) => error.message)
  const [, least] =
    /^POST \/queues\/one of \w+ kind\/push .*\(… (\d+) characters …\).*: answered 500\n/.exec(told!) ?? []
  expect(Number(least) - LONGEST_TAKEN).toBeOneOf([1, 2])
  const [, again] = /SVC_TEST_HOSTILE=(7\/[\d:]+) sends it alone, SVC_TEST_HOSTILE=7 all/.exec(told!) ?? []
  const sent: Fuzzed[] = []
  const replayed = searchFault(requests, startOf(again), 500, (request) => (sent.push(request), tooLong(request)))
  await expect(replayed).rejects.toThrow('answered 500')
  expect(sent.map(({ body }) => body?.length)).toEqual([Number(least)])
})

test('without a fault all of them are sent, and the same ones for a seed', async () => {
  const sent: [string[], string[]] = [[], []]
  for (const run of sent) {
    await searchFault(requests, startOf('20779'), 50, ({ body = '' }) => (run.push(body), Promise.resolve(null)))
    expect(run).toHaveLength(50)
  }
  expect(sent[0]).toEqual(sent[1])
  expect(() => startOf('first')).toThrow('SVC_TEST_HOSTILE is "first"; it should be a seed')
})
