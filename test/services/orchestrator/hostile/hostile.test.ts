// `npm run campaign -- attack test/attack/requests.test.ts` sends thousands of requests.
import { expect, test } from 'vitest'
import { orchestratorOperations } from '../../../../schemas/operations/orchestrator/index.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { requestsTo, type Fuzzed } from './requests.ts'
import { searchFault, startOf } from './search.ts'
import { attack } from './idle-orchestrator.ts'

const REQUESTS = 250
const start = startOf(process.env.SVC_TEST_HOSTILE)

onEachDatabase((database) => {
  test('answers hostile requests as documented and changes no row for refused ones', async () => {
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
const tooLong = ({ operation, body = '' }: Fuzzed) =>
  Promise.resolve(operation.id === pushTask.id && body.length > LONGEST_TAKEN ? 'answered 500' : null)

test('reports the smallest faulty request and how to replay it', async () => {
  const message = await searchFault(requests, { seed: 7 }, 500, tooLong).catch((error: Error) => error.message)
  const [, least] =
    /^POST \/queues\/one of \w+ kind\/push .*\(… (\d+) characters …\).*: answered 500\n/.exec(message!) ?? []
  expect(Number(least) - LONGEST_TAKEN).toBeOneOf([1, 2])
  const [, again] = /SVC_TEST_HOSTILE=(7\/[\d:]+) sends it alone, SVC_TEST_HOSTILE=7 sends/.exec(message!) ?? []
  const sent: Fuzzed[] = []
  const replayed = searchFault(requests, startOf(again), 500, (request) => (sent.push(request), tooLong(request)))
  await expect(replayed).rejects.toThrow('answered 500')
  expect(sent.map(({ body }) => body?.length)).toEqual([Number(least)])
})

test('sends all requests without a fault, and the same for equal seeds', async () => {
  const sent: [string[], string[]] = [[], []]
  for (const run of sent) {
    await searchFault(requests, startOf('20779'), 50, ({ body = '' }) => (run.push(body), Promise.resolve(null)))
    expect(run).toHaveLength(50)
  }
  expect(sent[0]).toEqual(sent[1])
  expect(() => startOf('first')).toThrow('SVC_TEST_HOSTILE: expected a seed')
})
