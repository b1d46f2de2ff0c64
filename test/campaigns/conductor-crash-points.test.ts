// The conductor crashes after an effect of a run, on the forge, in git, in a room, in the memory or in its database: one more
// run must end in the state of runs without a crash. `npm run campaign -- crash-points` covers every effect, the suite a
// sample.
import { expect, test, vi } from 'vitest'
import { ACTION_NAMES, type ActionName } from '../../schemas/conductor/run.ts'
import { StackedRemote } from '../platform/git/stacked-remote.ts'
import { Crashes } from '../services/conductor/crashes.ts'
import { Scene, sharedStand } from '../services/conductor/end-to-end/scene.ts'
import { SITUATIONS, STOPS, together, type Scenario } from '../services/conductor/end-to-end/situations.ts'
import { counted } from '../support/counts.ts'
import { isWhole } from './seeds.ts'

vi.setConfig({ testTimeout: 3_600_000 })

const EVERY = isWhole ? 1 : 29

const shared = sharedStand()

/**
 * The state after a crash after effect `at` and the runs that follow: one, and after a run that was stopped the next
 * one, which goes on.
 */
async function outcome(origin: string, { fill }: Scenario, at = 0) {
  const scene = await Scene.open(shared.stand, origin, fill)
  const crashes = new Crashes(at)
  const actions = new Set<ActionName>()
  let isCrashed = false
  let stops = 0
  try {
    for (;;) {
      const run = await scene.run(isCrashed ? {} : { crashes })
      for (const { action } of run?.actions ?? []) actions.add(action)
      if (run === null) isCrashed = true
      else if (run.status !== 'stopped') break
      else stops++
    }
    return { effects: crashes.count, isCrashed, actions, stops, state: await scene.state() }
  } finally {
    await scene.close()
  }
}

async function enumerate(name: string, scenarios: Readonly<Record<string, Scenario>>, actions: readonly ActionName[]) {
  const remote = new StackedRemote()
  const scenario = together(Object.values(scenarios))
  scenario.branches(remote)
  const whole = await outcome(remote.folder, scenario)
  expect([...whole.actions]).toEqual(expect.arrayContaining([...actions]))
  expect(whole.state).toMatchObject({ locks: [], intents: [], journal: [], records: [{}] })
  expect(whole.state.reports).toEqual([...new Set(whole.state.reports)])
  let points = 0
  for (let at = 1; at <= whole.effects; at += EVERY) {
    points++
    const { isCrashed, state, stops } = await outcome(remote.folder, scenario, at)
    expect(isCrashed, `crash after effect ${at}`).toBe(true)
    expect(stops, `stops with a crash after effect ${at}`).toBeLessThanOrEqual(whole.stops)
    expect.soft(state, `crash after effect ${at} of ${whole.effects}`).toEqual(whole.state)
  }
  counted(`conductor: crashes of ${name}`, points)
}

test('ends in the same state one run after a crash between any two actions', async () => {
  await enumerate('a run with every action', SITUATIONS, ACTION_NAMES)
})

test('ends in the same state after a crash between any two actions of runs that are stopped', async () => {
  const { 'rework for 16 minutes': rework } = SITUATIONS
  await enumerate('runs that are stopped', { ...STOPS, rework }, ['merge', 'restack', 'retarget', 'delete-branch'])
})
