// Rooms that fail while the conductor posts: all is said once, and before the write that ends its situation.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestClock, systemClock } from '../../../platform/core/clock.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { createLog } from '../../../platform/core/log/log.ts'
import { openServiceToken } from '../../../platform/http/service-callers.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import { RefusedCalls } from '../../../platform/service/refused-calls.ts'
import { callSibling } from '../../../platform/service/siblings.ts'
import type { World } from '../../../platform/service/world.ts'
import type { OperationGroup } from '../../../schemas/operations/operation.ts'
import { performRun } from '../../../services/conductor/execution/run.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { forgeFault } from './memory-forge.ts'
import { issue, pullRequest } from './snapshots.ts'
import { REPOSITORY, startConductor, type ConductorStand } from './stand.ts'

vi.setConfig({ testTimeout: 60_000 })

const log = createLog({ level: 'silent', format: 'json' })
const conflicting = (number: number) => pullRequest({ number, mergeable: 'CONFLICTING' })
const resolved = { mergeable: 'MERGEABLE' as const, labels: [], verdicts: [] }

let stand: ConductorStand
let database: Awaited<ReturnType<typeof sqliteDatabase>>
/** Called around each post; a throw is the answer of the room. */
let onPost: (moment: 'before' | 'after') => void = () => undefined
let posts = 0
beforeEach(async () => {
  database = await sqliteDatabase()
  onPost = () => undefined
  posts = 0
})
afterEach(async () => {
  await stand.close()
  await database.remove()
})

async function run(clock: World['clock'] = systemClock) {
  const world: Parameters<typeof performRun>[0]['world'] = {
    db: stand.db,
    vault: Vault.open(stand.host.config.keyFile),
    clock,
    log,
    ids: randomUUID,
    call: ((group: OperationGroup) => {
      const client = callSibling(group, {
        self: 'svc-conductor',
        addressOf: ({ service }) => stand.host.urls[service]!,
        serviceToken: openServiceToken(stand.host.config.serviceTokenFile),
        token: null,
        refused: new RefusedCalls('svc-conductor'),
      }) as unknown as Record<string, (input: object) => Promise<unknown>>
      const createMessage = async (input: object) => {
        posts++
        onPost('before')
        const reply = await client.createMessage!(input)
        onPost('after')
        return reply
      }
      return group.service === 'communicate' ? { ...client, createMessage } : client
    }) as World['call'],
  }
  const { forge, git } = stand
  const { signal } = new AbortController()
  return performRun({
    world,
    repository: REPOSITORY,
    isDry: false,
    mention: null,
    forge,
    git,
    lastEnded: async () => null,
    signal,
  })
}

/** The same with time that passes only in the pauses of the run. */
async function runInSteps() {
  const clock = new TestClock()
  let isOver = false
  const running = run(clock).finally(() => void (isOver = true))
  await eventually(async () => {
    clock.tick(1000)
    return isOver
  })
  return running
}

const said = async (room: string, about: string) =>
  (await stand.messages(room)).filter(({ metadata }) => metadata.about === about).map(({ metadata }) => metadata.items)

const answer = (status: 403 | 500 | 503) => {
  throw new Problem(status, 'the room fails')
}

test.each(['before', 'after'] as const)('a room that fails once %s it stores a post has it once', async (when) => {
  stand = await startConductor(database.url, { pullRequests: [conflicting(7)] })
  let failures = 0
  onPost = (moment) => {
    if (moment === when && failures++ === 0) answer(503)
  }
  expect(await runInSteps()).toMatchObject({ status: 'done', problems: [] })
  expect(await said('engineering', 'conflicting')).toEqual([[7]])
  expect(stand.forge.picture.pullRequests[0]![1]).toContain('needs-restack')
})

test.each(['before', 'after'] as const)(
  'a room that keeps failing %s it stores a post holds back the label, and has the post once in the end',
  async (when) => {
    stand = await startConductor(database.url, { pullRequests: [conflicting(7)] })
    onPost = (moment) => {
      if (moment === when) answer(500)
    }
    for (let count = 0; count < 2; count++) {
      expect(await runInSteps()).toMatchObject({ problems: [{ code: 'room-refused' }] })
      expect(stand.forge.picture.pullRequests[0]![1]).toEqual(['merge-ready'])
    }
    onPost = () => undefined
    expect(await run()).toMatchObject({ problems: [] })
    expect(await said('engineering', 'conflicting')).toEqual([[7]])
    expect(stand.forge.picture.pullRequests[0]![1]).toContain('needs-restack')
  },
)

test('a room that refuses a post is not asked again, and holds back no label', async () => {
  stand = await startConductor(database.url, { pullRequests: [conflicting(7)] })
  onPost = () => answer(403)
  expect((await run()).problems.map(({ code }) => code)).toEqual(['room-refused', 'room-refused'])
  // The post, that of the blocked queue, and the digest.
  expect(posts).toBe(3)
  expect(stand.forge.picture.pullRequests[0]![1]).toContain('needs-restack')
})

test('rooms that are down are asked again for the first post only', async () => {
  stand = await startConductor(database.url, { pullRequests: [7, 8, 9].map(conflicting) })
  onPost = () => answer(503)
  await runInSteps()
  // Those of the pull requests, and that of the blocked queue.
  expect(posts).toBe(6)
})

test('a lock that a failing room has stored is given back', async () => {
  const issues = [1, 2, 3, 4].map((number) => issue({ number, labels: [] }))
  stand = await startConductor(database.url, { issues })
  let failures = 0
  onPost = (moment) => {
    if (moment === 'after' && failures++ === 0) answer(503)
  }
  expect(await runInSteps()).toMatchObject({ problems: [] })
  expect((await stand.messages('engineering')).map(({ content }) => content.split(' ')[0])).toEqual([
    '[LOCK]',
    '[UNLOCK]',
  ])
  expect((await stand.ask('GET /rooms/engineering/locks', undefined, 'communicate')).body).toEqual([])
})

test('a write that fails for ever swallows no post about another item', async () => {
  stand = await startConductor(database.url, { pullRequests: [conflicting(7), conflicting(8)] })
  const { forge } = stand
  forge.onWrite = (write) => {
    if (write.endsWith(' 7')) throw forgeFault('forge-refused', 'Must have write access')
  }
  await run()
  forge.change(8, () => resolved)
  await run()
  forge.change(8, () => conflicting(8))
  await run()
  expect(await said('engineering', 'conflicting')).toEqual([[7], [8], [8]])
})

test('a run that stops early keeps what a later post must be told by', async () => {
  stand = await startConductor(database.url, { pullRequests: [conflicting(7)] })
  const { forge } = stand
  forge.onWrite = (write) => {
    if (write.endsWith(' 7')) throw forgeFault('forge-refused', 'Must have write access')
  }
  await run()
  const gated = pullRequest({ number: 5, labels: ['merge-ready', 'human-gate'] })
  forge.state = { ...forge.state, pullRequests: [gated, ...forge.state.pullRequests] }
  expect(await run()).toMatchObject({ status: 'stopped', stopped: { number: 5 } })
  await run()
  expect(await said('engineering', 'conflicting')).toEqual([[7]])
})
