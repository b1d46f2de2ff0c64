// `npm run campaign -- idempotence --seeds N` covers many teams.
import { expect, test } from 'vitest'
import { systemClock } from '../../platform/core/clock.ts'
import { counted } from '../support/counts.ts'
import { onEachDatabase } from '../support/databases.ts'
import { Random } from '../support/random.ts'
import { overSeeds, patience, seedsOf } from './seeds.ts'
import { CampaignStand, person } from './stand.ts'
import { teamOf, written, type ManifestFile } from './team.ts'

const WAYS = 4
const seeds = seedsOf(8)

onEachDatabase((database) => {
  test('plans no changes after an apply in any manifest style', { timeout: patience(seeds) }, async () => {
    const stand = await CampaignStand.create(database.db, systemClock)
    let [plans, resources] = [0, 0]
    const empty = async (manifests: ManifestFile[], where: string) => {
      const plan = await stand.controller.plan({ manifests, root: stand.folder }, person)
      const { steps, drift, diagnostics, summary } = plan
      const what = manifests.map(({ path, content }) => `${path}:\n${content}`).join('\n')
      expect([steps, drift, diagnostics], `${where}\n${what}`).toEqual([[], [], []])
      plans++
      return summary.unchanged
    }
    await overSeeds(seeds, async (seed) => {
      const random = new Random(seed)
      const team = teamOf(random)
      const first = written(team, random)
      const run = await stand.controller.apply({ manifests: first, root: stand.folder }, person, () => {})
      expect([run.status, run.diagnostics], JSON.stringify(run.error)).toEqual(['succeeded', []])
      expect(await empty(first, 'as applied')).toBe(team.length)
      for (let way = 0; way < WAYS; way++) await empty(written(team, random), `way ${way}`)
      resources += team.length
      await stand.controller.apply({ manifests: first, root: stand.folder, delete_all: true }, person, () => {})
      expect(stand.services.names()).toEqual([])
    }).finally(() => stand.close())
    counted('teams', seeds.length)
    counted('resources', resources)
    counted('empty plans', plans)
  })
})
