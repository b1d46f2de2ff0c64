// The controller crashes after an effect or record of an apply; the next controller must converge without orphans or
// duplicates. `npm run campaign -- crash-points` covers every point of many teams, the suite a sample.
import { expect, test } from 'vitest'
import { systemClock } from '../../platform/core/clock.ts'
import { counted } from '../support/counts.ts'
import { onEachDatabase } from '../support/databases.ts'
import { CrashPoints } from '../support/faults/crash-points.ts'
import { Random } from '../support/random.ts'
import { isWhole, overSeeds, seedsOf } from './seeds.ts'
import { CampaignStand, person } from './stand.ts'
import { idsOf, teamOf, written, type Declared } from './team.ts'

const EVERY = isWhole ? 1 : 9
const seeds = seedsOf(1)
const RULES = { path: 'svc.yaml', content: 'sync: { max_delete: "100%" }\n' }

onEachDatabase((database) => {
  const crash = new CrashPoints()

  async function staged(before: readonly Declared[], random: Random): Promise<CampaignStand> {
    crash.revive()
    const stand = await CampaignStand.create(crash.through(database.db), systemClock)
    const isEffect = (call: string) => call === 'apply' || call === 'remove'
    stand.services.before = async (call) => void (isEffect(call) && crash.alive())
    stand.services.after = async (call) => void (isEffect(call) && crash.passed())
    await apply(stand, before, random)
    return stand
  }

  const inputOf = (stand: CampaignStand, team: readonly Declared[], random: Random) => ({
    manifests: [RULES, ...written(team, random)],
    root: stand.folder,
    prune: true,
  })
  const apply = (stand: CampaignStand, team: readonly Declared[], random: Random) =>
    stand.controller.apply(inputOf(stand, team, random), person, () => undefined)

  async function expectConverged(stand: CampaignStand, team: readonly Declared[], random: Random): Promise<void> {
    expect(await apply(stand, team, random)).toMatchObject({ status: 'succeeded' })
    expect(stand.services.names()).toEqual(idsOf(team))
    const { items } = await stand.controller.resources({}, { limit: 200, offset: 0 })
    expect(items.map(({ id }) => id).sort()).toEqual(idsOf(team))
    const { steps, drift } = await stand.controller.plan(inputOf(stand, team, random), person)
    expect([steps, drift, (await stand.controller.drift({})).items]).toEqual([[], [], []])
    expect(await database.db('controller_intents').select()).toEqual([])
  }

  test('recovers from every crash point', { timeout: 60_000 + seeds.length * 240_000 }, async () => {
    let [points, survivors] = [0, 0]
    await overSeeds(seeds, async (seed) => {
      const random = new Random(seed)
      const [before, after] = [teamOf(random), teamOf(random)]
      for (let n = 1, isDead = true; isDead; n += EVERY) {
        const stand = await staged(before, random)
        crash.arm(n)
        await apply(stand, after, random).catch(() => undefined)
        isDead = crash.dead
        if (isDead) points++
        crash.revive()
        await stand.controller.stop()
        await stand.open()
        await stand.controller.start()
        await expectConverged(stand, after, random).catch((error: Error) => {
          throw new Error(`after point ${n}: ${error.message}`, { cause: error })
        })
        if (isDead) survivors++
        await stand.close()
      }
    }).finally(() => {
      counted('crash points', points)
      counted('survivors', survivors)
    })
    expect(points).toBeGreaterThan(0)
  })
})
