// A crash after each effect of a run, one at a time: the runs that follow end in the state of runs without a crash.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../../platform/core/clock.ts'
import { createLog } from '../../../platform/core/log/log.ts'
import { openServiceToken } from '../../../platform/http/service-callers.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import { RefusedCalls } from '../../../platform/service/refused-calls.ts'
import { callSibling } from '../../../platform/service/siblings.ts'
import type { World } from '../../../platform/service/world.ts'
import type { Message, RoomLock } from '../../../schemas/communicate/message.ts'
import type { ConductorRun } from '../../../schemas/conductor/run.ts'
import type { Memory } from '../../../schemas/docstore/memory.ts'
import type { OperationGroup } from '../../../schemas/operations/operation.ts'
import { performRun } from '../../../services/conductor/execution/run.ts'
import type { Snapshot } from '../../../services/conductor/snapshot/facts.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { MemoryForge, MemoryGit } from './memory-forge.ts'
import { DAY, HOUR, MINUTE, ago, commit, issue, label, mergedPullRequest, pullRequest } from './snapshots.ts'
import { startConductor, type ConductorStand } from './stand.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

const log = createLog({ level: 'silent', format: 'json' })
/** Most runs until one has nothing to do but to remember. */
const MOST_RUNS = 10

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

class Crash extends Error {}

/** Counts the effects of a run, and ends it after effect `at`: what follows has no effect. */
class Crashes {
  count = 0
  #at: number
  #isOver = false

  constructor(at: number) {
    this.#at = at
  }

  before(): void {
    if (this.#isOver) throw new Crash('the run has crashed')
  }

  after(): void {
    if (++this.count === this.#at) this.#isOver = true
    this.before()
  }
}

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

const world = (crashes: Crashes): Pick<World, 'db' | 'vault' | 'clock' | 'log' | 'ids' | 'call'> => ({
  db: stand.db,
  vault: Vault.open(stand.host.config.keyFile),
  clock: systemClock,
  log,
  ids: randomUUID,
  call: ((group: OperationGroup) => {
    const client = callSibling(group, {
      self: 'svc-conductor',
      addressOf: ({ service }) => stand.host.urls[service]!,
      serviceToken: openServiceToken(stand.host.config.serviceTokenFile),
      token: null,
      refused: new RefusedCalls('svc-conductor'),
    }) as Record<string, (input: object) => Promise<unknown>>
    return new Proxy(client, {
      get: (own, name: string) => async (input: object) => {
        crashes.before()
        const reply = await own[name]!(input)
        if (/^(create|delete)/.test(name)) crashes.after()
        return reply
      },
    })
  }) as World['call'],
})

/** Null after a crash. */
async function run({ repository, forge, git }: Scenario, crashes: Crashes): Promise<ConductorRun | null> {
  forge.onWrite = (_write, moment) => crashes[moment]()
  forge.onRead = () => crashes.before()
  try {
    return await performRun({
      world: world(crashes),
      repository,
      isDry: false,
      mention: '@ada',
      forge,
      git,
      lastEnded: async () => null,
      signal: new AbortController().signal,
    })
  } catch (error) {
    if (error instanceof Crash) return null
    throw error
  }
}

function scenarioOf(name: string, id: string): Scenario {
  const { given, conflicts = [] } = SCENARIOS[name]!
  const repository = `acme/shop-${id}`
  const forge = new MemoryForge({ ...given, repository })
  const git = new MemoryGit(forge)
  for (const number of conflicts) git.conflicts.add(number)
  return { repository, forge, git }
}

/** State after a run that crashes after effect `at`, and the runs that follow. */
async function outcome(name: string, at: number) {
  const scenario = scenarioOf(name, randomUUID().slice(0, 8))
  const crashes = new Crashes(at)
  const first = await run(scenario, crashes)
  const isCrashed = first === null
  for (let left = MOST_RUNS; ; left--) {
    const { actions } = (await run(scenario, new Crashes(0)))!
    if (actions.every(({ action }) => action === 'remember')) break
    expect(left, 'runs end').toBeGreaterThan(0)
  }
  return { effects: crashes.count, isCrashed, state: await stateOf(scenario) }
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
      const { run: _run, at: _at, ...record } = JSON.parse(plain(content))
      return record
    }),
    intents: await stand.db('conductor_intents').where({ repository_key: repository }),
  }
}

describe.each(Object.keys(SCENARIOS))('%s', (name) => {
  test('ends in the same state after a crash between any two effects', async () => {
    const expected = await outcome(name, 0)
    expect(expected.isCrashed).toBe(false)
    expect(expected.state.locks).toEqual([])
    expect(expected.state.records).toHaveLength(1)
    for (let at = 1; at <= expected.effects; at++) {
      const { isCrashed, state } = await outcome(name, at)
      expect(isCrashed, `crash after effect ${at}`).toBe(true)
      expect.soft(state, `crash after effect ${at} of ${expected.effects}`).toEqual(expected.state)
    }
    console.log(`${name}: ${expected.effects} crashes enumerated`)
  })
})
