// A dry run lists what the next run does, and changes nothing.
import { existsSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import type { ConductorRun } from '../../../../schemas/conductor/run.ts'
import { StackedRemote } from '../../../platform/git/stacked-remote.ts'
import { approved } from './pipeline.ts'
import { Scene, sharedStand } from './scene.ts'
import { SITUATIONS, STOPS, together, type Scenario } from './situations.ts'

const shared = sharedStand()

let scene: Scene
afterEach(() => scene.close())

const UNKNOWN = 'an unknown mergeability'

const SCENARIOS: Record<string, Scenario> = {
  ...SITUATIONS,
  'a gate': STOPS['a gate'],
  'all of these': together([...Object.values(SITUATIONS), STOPS['a gate']]),
  [UNKNOWN]: {
    branches: (remote) => remote.stack(),
    fill: (github) => approved(github, { branch: 'a', labels: ['merge-ready'], mergeable: 'UNKNOWN' }),
  },
  'no items': { fill: () => undefined },
  'no main branch': { fill: ({ settings }) => Object.assign(settings, { hasMainBranch: false }) },
}

async function open(scenario: Scenario): Promise<void> {
  const remote = new StackedRemote()
  scenario.branches?.(remote)
  scene = await Scene.open(shared.stand, remote.folder, (github) => scenario.fill(github))
}

/** What a run could change, with times and ids. */
async function everything() {
  const { github } = scene
  github.sync()
  const { db } = shared.stand
  const tables: { name: string }[] = await db('sqlite_master').where({ type: 'table' }).select('name')
  const own = tables.map(({ name }) => name).filter((name) => /^(conductor|communicate|docstore)_/.test(name))
  return {
    items: structuredClone([...github.items.values()]),
    labels: [...github.labels],
    refs: scene.git('for-each-ref'),
    messages: await scene.messages(),
    memories: await scene.memories(),
    tables: await Promise.all(own.map(async (name) => [name, await db(name)])),
    hasClone: existsSync(scene.dataDir),
  }
}

const queries = () => scene.github.requests.filter(({ method, path }) => method === 'GET' || path === '/graphql')

async function dryRun(): Promise<ConductorRun> {
  const before = await everything()
  const dry = await scene.run({ isDry: true })
  expect(await everything()).toEqual(before)
  expect(scene.github.requests).toEqual(queries())
  return dry!
}

/** In order; heads that a restack makes are known only to a real run. */
const listed = ({ actions }: ConductorRun) =>
  actions.map(({ sha: _sha, outcome: _outcome, reason: _reason, ...action }) => action)

test.each(Object.keys(SCENARIOS))('lists the actions of the next run and changes nothing: %s', async (name) => {
  await open(SCENARIOS[name]!)
  const dry = await dryRun()
  const isAwaited = name === UNKNOWN
  const real = (await (isAwaited ? scene.runAhead() : scene.run()))!
  expect(listed(real)).toEqual(listed(dry))
  const { status, stopped, items, counts } = dry
  expect(real).toMatchObject({ status, stopped, items, counts })
  expect(dry.actions.map(({ outcome }) => outcome)).toEqual(dry.actions.map(() => 'planned'))
})

test('is deferred by the lock of another participant, as is the next run', async () => {
  await open(SITUATIONS['four issues without labels'])
  await shared.stand.postAs('mia', 'engineering', '[LOCK] release')
  try {
    const dry = await dryRun()
    const real = await scene.run()
    expect([dry, real]).toMatchObject([
      { status: 'deferred', waiting_for: { holder: 'mia' }, actions: [] },
      { status: 'deferred', waiting_for: { holder: 'mia' }, actions: [] },
    ])
  } finally {
    const body = { sender_id: 'mia', content: '[UNLOCK]' }
    await shared.stand.ask('POST /rooms/engineering/messages', body, 'communicate')
  }
})

test('takes a rebase to succeed: up to a conflict it lists the actions of the next run', async () => {
  await open(STOPS['a conflict after a merge'])
  const dry = listed(await dryRun())
  const real = await scene.run()
  const conflict = real!.actions.findIndex(({ outcome }) => outcome === 'failed')
  expect(real!.actions[conflict]).toMatchObject({ action: 'restack', reason: 'conflicts in shared.txt' })
  expect(dry.slice(0, conflict + 1)).toEqual(listed(real!).slice(0, conflict + 1))
})
