// Crashes the controller after every effect and record (every fifth in a brief campaign). The next one rolls forward, or back if the
// manifests were reverted.
import { afterEach, describe, expect, test } from 'vitest'
import type { Run } from '../../../schemas/run.ts'
import { createStand, person, type Stand, type ThingSpec } from '../../controller/fixture.ts'
import { ofPoints, points } from '../campaign.ts'
import { counted } from '../../support/counts.ts'
import { CrashPoints } from '../../support/faults/crash-points.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'

type Manifests = Record<string, Partial<Pick<ThingSpec, 'size' | 'hard' | 'parent'>>>

interface Scenario {
  before: Manifests
  after: Manifests
  foreign?: Manifests
}

/** `top` always exists, so that no folder is empty. */
const SCENARIOS: Record<string, Scenario> = {
  create: { before: {}, after: { c: { size: 1 } } },
  update: { before: { u: { size: 1 } }, after: { u: { size: 2 } } },
  restart: { before: { r: { hard: 'a' } }, after: { r: { hard: 'b', size: 3 } } },
  replace: { before: { p: {} }, after: { p: { parent: 'top' } } },
  adopt: { before: {}, after: { a: { size: 5, hard: 'm' } }, foreign: { a: { size: 4, hard: 'h' } } },
  delete: { before: { d: { size: 1 } }, after: {} },
  'all at once': {
    before: { u: { size: 1 }, r: { hard: 'a' }, p: {}, d: { size: 1 } },
    after: { c: { size: 1 }, u: { size: 2 }, r: { hard: 'b', size: 3 }, p: { parent: 'top' }, a: { size: 5 } },
    foreign: { a: { size: 4 } },
  },
}

const specOf = (name: string, members: Manifests[string]): ThingSpec => ({
  name,
  size: 0,
  hard: '',
  parent: null,
  env: {},
  ...members,
})

onEachDatabase((database) => {
  let stand: Stand
  const crash = new CrashPoints()
  afterEach(() => stand.close())

  const declare = (manifests: Manifests, gone: Manifests) =>
    stand.files({
      ...Object.fromEntries(Object.keys(gone).map((name) => [`things/${name}.yml`, null])),
      ...Object.fromEntries(
        Object.entries(manifests).map(([name, members]) => [
          `things/${name}.yml`,
          JSON.stringify({ name, ...members }),
        ]),
      ),
    })
  const without = (all: Manifests, kept: Manifests): Manifests =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !(name in kept)))

  async function stage({ before, foreign = {} }: Scenario): Promise<void> {
    crash.revive()
    stand = await createStand(database.db, { start: false, through: (db) => crash.through(db) })
    stand.things.beforeEffect = () => crash.alive()
    stand.things.afterEffect = () => crash.passed()
    await stand.files({ 'svc.yaml': 'sync: { max_delete: "100%" }\n', 'things/top.yml': 'name: top\n' })
    await declare(before, {})
    await stand.pass()
    for (const [name, members] of Object.entries(foreign)) stand.things.live.set(`hand-${name}`, specOf(name, members))
  }

  /** Runs a pass that crashes after point n; returns false if it completed before. */
  async function dies(n: number): Promise<boolean> {
    crash.arm(n)
    const asked = await stand.controller.sync('default', person, { keep_drift: true }).catch(() => null)
    await eventually(async () => {
      if (crash.dead || !asked) return true
      const run: Run = await stand.controller.run(asked.run_id)
      return run.status !== 'running'
    })
    return crash.dead
  }

  async function holds(manifests: Manifests, foreign: Manifests, where: string): Promise<void> {
    const run = await stand.pass({ keep_drift: true })
    expect(run.status, where).toBe('succeeded')
    const wanted = { top: {}, ...manifests }
    const live = [...stand.things.live.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    // Resources that were already adopted were deleted with their manifest.
    const left = Object.entries(foreign).filter(([name]) => !(name in wanted) && stand.names().includes(name))
    const named = [...Object.entries(wanted), ...left].sort(([a], [b]) => (a < b ? -1 : 1))
    expect(live, where).toEqual(named.map(([name, members]) => specOf(name, members)))
    expect([...stand.things.running], where).toEqual([])
    const { items } = await stand.controller.resources({})
    expect(
      items.map(({ name }) => name),
      where,
    ).toEqual(Object.keys(wanted).sort())
    expect((await stand.controller.drift({})).items, where).toEqual([])
    const plan = await stand.controller.plan({ source: 'default', keep_drift: true }, person)
    expect([plan.steps, plan.drift], where).toEqual([[], []])
    expect(await database.db('controller_intents').select(), where).toEqual([])
  }

  describe.each(['forward', 'back'] as const)('recovery that rolls %s', (direction) => {
    test.each(Object.keys(SCENARIOS))('leads to the declared state: %s', { timeout: 240_000 }, async (action) => {
      const scenario = SCENARIOS[action]!
      const { before, after, foreign = {} } = scenario
      let [deaths, survivors] = [0, 0]
      for (let n = 1 + points.begin; ; n += points.every) {
        await stage(scenario)
        await declare(after, without(before, after))
        const isDead = await dies(n)
        if (isDead) deaths++
        crash.revive()
        await stand.reopen()
        if (direction === 'back' && isDead) await declare(before, without(after, before))
        await holds(direction === 'back' && isDead ? before : after, foreign, `${action} ${direction} after point ${n}`)
        if (!isDead) {
          counted(`crash points of a step, ${direction}: ${action}${ofPoints}`, deaths)
          counted('crash points', deaths)
          counted('survivors', survivors)
          expect(deaths).toBeGreaterThan(points.every === 1 ? 3 : 0)
          return
        }
        survivors++
        await stand.close()
      }
    })
  })
})
