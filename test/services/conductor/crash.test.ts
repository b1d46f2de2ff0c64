// A crash after each effect of a run, one at a time: one more run ends in the state of runs without a crash. After a run that
// was stopped, by a conflict or a gate, the next one does what the stop left out.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Message, RoomLock } from '../../../schemas/communicate/message.ts'
import type { ConductorRun } from '../../../schemas/conductor/run.ts'
import type { Memory } from '../../../schemas/docstore/memory.ts'
import type { Snapshot } from '../../../services/conductor/snapshot/facts.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { Crashes, crashingWorld, runUntilCrash } from './crashes.ts'
import { MemoryForge, MemoryGit } from './memory-forge.ts'
import { DAY, HOUR, MINUTE, ago, commit, issue, label, mergedPullRequest, pullRequest } from './snapshots.ts'
import { startConductor, type ConductorStand } from './stand.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

let stand: ConductorStand
let remove: () => Promise<void>
beforeAll(async () => {
  const database = await sqliteDatabase()
  remove = database.remove
  stand = await startConductor(database.url, {})
})
afterAll(async () => {
  await stand.close()
  await remove()
})

interface Scenario {
  repository: string
  forge: MemoryForge
  git: MemoryGit
}

const SCENARIOS: Record<string, { given: Partial<Snapshot>; conflicts?: number[] }> = {
  'a stack, labels and reports': {
    given: {
      issues: [
        ...[1, 2, 3, 4].map((number) => issue({ number, labels: [] })),
        issue({ number: 5, labels: ['triaged', 'conductor-sync'] }),
        issue({ number: 6, labels: ['bug'], activeAt: ago(4 * DAY) }),
        issue({ number: 8, labels: [label('docs-agent', ago(7 * HOUR))] }),
      ],
      pullRequests: [
        pullRequest({ number: 21 }),
        pullRequest({ number: 22, base: 'change-21' }),
        pullRequest({ number: 23, base: 'change-22', labels: [] }),
        pullRequest({ number: 24, labels: [label('review-agent', ago(HOUR))], verdicts: [], reviews: [] }),
        pullRequest({ number: 25, labels: [label('needs-rework', ago(20 * MINUTE))], linkedIssue: 6, verdicts: [] }),
        pullRequest({ number: 26, verdicts: ['CHANGES_REQUESTED'] }),
        pullRequest({ number: 27, mergeable: 'CONFLICTING' }),
        pullRequest({ number: 28, checks: [{ name: 'ci', state: 'FAILURE', endedAt: ago(2 * DAY) }] }),
        pullRequest({ number: 29, verdicts: [] }),
      ],
    },
  },
  'a conflict after a merge': {
    given: { pullRequests: [pullRequest({ number: 31 }), pullRequest({ number: 32, base: 'change-31' })] },
    conflicts: [32],
  },
  'a conflict in the middle of a stack': {
    given: {
      pullRequests: [
        pullRequest({ number: 51 }),
        pullRequest({ number: 52, base: 'change-51', labels: [], verdicts: [] }),
        pullRequest({ number: 53, base: 'change-52', labels: [], verdicts: [] }),
        pullRequest({ number: 54, base: 'change-53', labels: [], verdicts: [] }),
      ],
    },
    conflicts: [53],
  },
  'a base that was merged elsewhere, and a gate': {
    given: {
      merged: [mergedPullRequest({ number: 40, branch: 'change-40', head: commit(40) })],
      pullRequests: [
        pullRequest({ number: 41, base: 'change-40' }),
        pullRequest({ number: 42, base: 'change-41' }),
        pullRequest({ number: 43, labels: ['merge-ready', 'human-gate'] }),
      ],
    },
  },
}

/** Null after a crash. */
function run({ repository, forge, git }: Scenario, crashes: Crashes): Promise<ConductorRun | null> {
  forge.onWrite = (_write, moment) => crashes[moment]()
  forge.onRead = () => crashes.before()
  return runUntilCrash({ world: crashingWorld(stand, crashes), repository, isDry: false, forge, git })
}

function scenarioOf(name: string, id: string): Scenario {
  const { given, conflicts = [] } = SCENARIOS[name]!
  const repository = `acme/shop-${id}`
  const forge = new MemoryForge({ ...given, repository })
  const git = new MemoryGit(forge)
  for (const number of conflicts) git.conflicts.add(number)
  return { repository, forge, git }
}

/** State after a crash after effect `at` (0: none) and one more run, or several as long as they are stopped. */
async function outcome(name: string, at: number) {
  const scenario = scenarioOf(name, randomUUID().slice(0, 8))
  const crashes = new Crashes(at)
  let isCrashed = false
  let stops = 0
  for (;;) {
    const done = await run(scenario, isCrashed ? new Crashes() : crashes)
    if (done === null) isCrashed = true
    else if (done.status !== 'stopped') break
    else stops++
  }
  return { effects: crashes.count, isCrashed, stops, state: await stateOf(scenario) }
}

async function stateOf({ repository, forge }: Scenario) {
  const own = ({ metadata }: Message) => metadata.repository === repository
  const messages = [...(await stand.messages('engineering')), ...(await stand.messages('operations'))].filter(own)
  const plain = (text: string) => text.replaceAll(repository, 'acme/shop')
  const locks = (await stand.ask<RoomLock[]>('GET /rooms/engineering/locks', undefined, 'communicate')).body
  const records = (await stand.ask<Memory[]>(`GET /memories?tag=repo:${repository}`, undefined, 'docstore')).body
  const current = records.filter(({ superseded_by }) => superseded_by === null)
  return {
    forge: forge.picture,
    reports: messages
      .filter(({ metadata }) => !['lock', 'unlock', 'digest'].includes(String(metadata.about)))
      .map(({ content, room_id }) => `${room_id} ${plain(content)}`)
      .toSorted(),
    transitions: messages.flatMap(({ metadata }) => (metadata.transitions as string[] | undefined) ?? []).toSorted(),
    locks,
    records: current.map(({ content }) => {
      const { run: _run, at: _at, reported, ...record } = JSON.parse(plain(content))
      // The run after a crash sees heads that the first one made.
      const keys = Object.keys(reported).filter((key) => !key.startsWith('seen '))
      return { ...record, reported: keys.toSorted() }
    }),
    intents: await stand.db('conductor_intents').where({ repository_key: repository }),
    journal: await stand.db('conductor_journal').where({ repository_key: repository }),
  }
}

describe.each(Object.keys(SCENARIOS))('%s', (name) => {
  test('ends in the same state after a crash between any two effects', async () => {
    const expected = await outcome(name, 0)
    expect(expected.isCrashed).toBe(false)
    expect(expected.state.locks).toEqual([])
    expect(expected.state).toMatchObject({ records: [{}], intents: [], journal: [] })
    for (let at = 1; at <= expected.effects; at++) {
      const { isCrashed, stops, state } = await outcome(name, at)
      expect(isCrashed, `crash after effect ${at}`).toBe(true)
      expect(stops, `stops with a crash after effect ${at}`).toBeLessThanOrEqual(expected.stops)
      expect.soft(state, `crash after effect ${at} of ${expected.effects}`).toEqual(expected.state)
    }
    console.log(`${name}: ${expected.effects} crashes enumerated`)
  })
})
