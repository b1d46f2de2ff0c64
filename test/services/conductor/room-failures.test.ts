// Rooms that fail while the conductor posts: all is said once, and before the write that ends its situation.
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { TestClock, type Clock } from '../../../platform/core/clock.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { performRun } from '../../../services/conductor/execution/run.ts'
import type { Snapshot } from '../../../services/conductor/snapshot/facts.ts'
import { eventually } from '../../support/eventually.ts'
import { forgeFault } from './memory-forge.ts'
import { runWorld } from './run-world.ts'
import { ago, DAY, HOUR, issue, label, mergedPullRequest, pullRequest } from './snapshots.ts'
import { REPOSITORY, conductorStands, type ConductorStand } from './stand.ts'

vi.setConfig({ testTimeout: 60_000 })

const conflicting = (number: number) => pullRequest({ number, mergeable: 'CONFLICTING' })
const resolved = { mergeable: 'MERGEABLE' as const, labels: [], verdicts: [] }

interface Rooms {
  createMessage(input: object): Promise<unknown>
}

const start = conductorStands()
let stand: ConductorStand
/** Called around each post; a throw is the answer of the room. */
let onPost: (moment: 'before' | 'after') => void = () => undefined
let posts = 0
beforeEach(() => {
  onPost = () => undefined
  posts = 0
})

function run(clock?: Clock) {
  const wrap = <Client extends object>(client: Client, service: string): Client => {
    if (service !== 'communicate') return client
    const { createMessage } = client as unknown as Rooms
    const observed = async (input: object) => {
      posts++
      onPost('before')
      const reply = await createMessage(input)
      onPost('after')
      return reply
    }
    return { ...client, createMessage: observed }
  }
  const { forge, git } = stand
  return performRun({
    world: runWorld(stand, { ...(clock && { clock }), wrap }),
    repository: REPOSITORY,
    isDry: false,
    mention: null,
    forge,
    git,
    lastEnded: async () => null,
    signal: new AbortController().signal,
  })
}

/** The same with time that passes only in the pauses of the run. */
async function runInSteps() {
  const clock = new TestClock()
  let isOver = false
  const running = run(clock).finally(() => void (isOver = true))
  await eventually(async () => {
    if (clock.pending > 0) clock.tick(1000)
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
  stand = await start({ pullRequests: [conflicting(7)] })
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
    stand = await start({ pullRequests: [conflicting(7)] })
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

describe('a post that no room has confirmed', () => {
  const failure = { name: 'ci', state: 'FAILURE' as const, endedAt: ago(2 * DAY) }
  const rework = (since: number) => [label('needs-rework', since)]
  const SITUATIONS: [string, Partial<Snapshot>, Record<string, unknown>][] = [
    [
      'of a whole run',
      {
        issues: [
          issue({ number: 5, labels: [label('docs-agent', ago(7 * HOUR))] }),
          issue({ number: 6, activeAt: ago(4 * DAY) }),
        ],
        pullRequests: [
          pullRequest({ number: 21, labels: [label('review-agent', ago(HOUR))], verdicts: [], reviews: [] }),
          pullRequest({ number: 22, verdicts: ['CHANGES_REQUESTED'] }),
          conflicting(23),
          pullRequest({ number: 24, checks: [failure] }),
          pullRequest({ number: 25, verdicts: [] }),
          pullRequest({ number: 26, labels: rework(ago(HOUR)), verdicts: [] }),
          pullRequest({ number: 27, labels: rework(ago(4 * DAY)), activeAt: ago(4 * DAY), verdicts: [] }),
        ],
      },
      {
        nudge: [[21]],
        'changes-requested': [[22]],
        conflicting: [[23]],
        'checks-failed': [[24]],
        'checks-failing': [[24]],
        'review-needed': [[25]],
        'queue-blocked': [[23, 25]],
        'no-linked-issue': [[26], [27]],
        'rework-stale': [[27]],
        stale: [[6, 27]],
        'no-pull-request': [[5]],
      },
    ],
    [
      'of a gate',
      { pullRequests: [pullRequest({ number: 7, labels: ['merge-ready', 'human-gate'] })] },
      { gate: [[7]], 'queue-blocked': [[7]] },
    ],
    [
      'of a rebase',
      {
        merged: [mergedPullRequest({ number: 40 })],
        pullRequests: [pullRequest({ number: 41, base: 'change-40', labels: [] })],
      },
      { 'rebase-conflict': [[41]] },
    ],
  ]

  test.each(
    SITUATIONS.flatMap(([name, given, expected]) =>
      (['before', 'after'] as const).map((when) => ({ name, when, given, expected })),
    ),
  )('$name is repeated by the next run, and there once: it failed $when it was stored', async (scenario) => {
    stand = await start(scenario.given)
    stand.git.conflicts.add(41)
    onPost = (moment) => {
      if (moment === scenario.when) answer(500)
    }
    await runInSteps()
    onPost = () => undefined
    for (let count = 0; count < 3; count++) await run()
    const all = [...(await stand.messages('engineering')), ...(await stand.messages('operations'))]
    const posted: Record<string, unknown[]> = {}
    for (const { metadata } of all) (posted[String(metadata.about)] ??= []).push(metadata.items)
    delete posted.digest
    expect(posted).toEqual(scenario.expected)
    const lines = all.flatMap(({ metadata }) => (metadata.transitions as string[] | undefined) ?? [])
    expect(lines).toEqual([...new Set(lines)])
  })
})

test('a room that refuses a post is not asked again, and holds back no label', async () => {
  stand = await start({ pullRequests: [conflicting(7)] })
  onPost = () => answer(403)
  expect((await run()).problems.map(({ code }) => code)).toEqual(['room-refused', 'room-refused'])
  // The post, that of the blocked queue, and the digest.
  expect(posts).toBe(3)
  expect(stand.forge.picture.pullRequests[0]![1]).toContain('needs-restack')
})

test('rooms that are down are asked again for the first post only', async () => {
  stand = await start({ pullRequests: [7, 8, 9].map(conflicting) })
  onPost = () => answer(503)
  await runInSteps()
  // Those of the pull requests, and that of the blocked queue.
  expect(posts).toBe(6)
})

test('a lock that a failing room has stored is given back', async () => {
  const issues = [1, 2, 3, 4].map((number) => issue({ number, labels: [] }))
  stand = await start({ issues })
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
  stand = await start({ pullRequests: [conflicting(7), conflicting(8)] })
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
  stand = await start({ pullRequests: [conflicting(7)] })
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

test.each(['before', 'after'] as const)(
  'a room that keeps failing %s it stores the announcement of a merge has it once in the end',
  async (when) => {
    stand = await start({ pullRequests: [pullRequest({ number: 7 })] })
    onPost = (moment) => {
      if (moment === when) answer(500)
    }
    for (let count = 0; count < 2; count++)
      expect(await runInSteps()).toMatchObject({ problems: [{ code: 'room-refused' }] })
    onPost = () => undefined
    expect(await run()).toMatchObject({ problems: [] })
    expect(await said('operations', 'merged')).toEqual([[7]])
    expect(await stand.db('conductor_intents')).toEqual([])
    expect((await run()).actions.map(({ action }) => action)).toEqual(['remember'])
  },
)

test('a branch that could not be deleted is deleted later, and its merge is told once', async () => {
  stand = await start({ pullRequests: [pullRequest({ number: 7 })] })
  const { forge, git } = stand
  const deletion = git.deleteBranch.bind(git)
  git.deleteBranch = async () => {
    throw new Problem(503, 'the remote does not answer', { code: 'git-failed' })
  }
  for (let count = 0; count < 2; count++) expect(await run()).toMatchObject({ problems: [{ code: 'git-failed' }] })
  git.deleteBranch = deletion
  expect(await run()).toMatchObject({
    problems: [],
    actions: [{ action: 'delete-branch', number: 7 }, { action: 'remember' }],
  })
  expect(forge.picture.branches).toEqual([])
  expect(await said('operations', 'merged')).toEqual([[7]])
  expect(await said('operations', 'digest')).toHaveLength(1)
  expect(await stand.db('conductor_intents')).toEqual([])
})

test.each([
  [999, 1000],
  [1000, 0],
])('a digest that no room takes keeps at most 1,000 lines (%d and one: %d)', async (before, left) => {
  stand = await start({ pullRequests: [pullRequest({ number: 7, labels: [], isQueued: true })] })
  const line = { repository_key: REPOSITORY, kind: 'transition', at: 0 }
  const lines = Array.from({ length: before }, (_, index) => ({ ...line, text: `#${index + 100}: +agent` }))
  await stand.db.batchInsert('conductor_journal', lines, 100)
  onPost = () => answer(503)
  await runInSteps()
  expect(await stand.db('conductor_journal').where({ kind: 'transition' })).toHaveLength(left)
})

test('3,000 stale pull requests are reported once each, as many as the memory has room for', async () => {
  const old = { labels: [], verdicts: [], activeAt: 0 }
  const pullRequests = Array.from({ length: 3000 }, (_, index) => pullRequest({ number: index + 1, ...old }))
  stand = await start({ pullRequests })
  const runs = [await run(), await run(), await run(), await run()]
  expect(runs.map(({ status, health }) => [status, health])).toEqual(runs.map(() => ['done', 'degraded']))
  expect(runs.at(-1)).toMatchObject({ problems: [{ code: 'memory-unavailable' }], actions: [{ action: 'remember' }] })
  const items = (await said('operations', 'stale')).flat()
  expect(items.length).toBeGreaterThan(1000)
  expect(new Set(items).size).toBe(items.length)
})
