// A suspended source changes nothing, and is observed all the same.
import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../platform/clock.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { createStand, person, type Stand } from '../stand.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  test('its drift is recorded without being told, its health stays current, and nothing of it is changed', async () => {
    const clock = new TestClock(Date.now())
    stand = await createStand(database.db, { clock })
    await stand.files({ 'svc.yaml': 'sync:\n  drift: heal\n', 'things/t.yml': 'name: t\nsize: 1\n' })
    await eventually(() => (clock.tick(500), stand.names().length === 1))
    await stand.controller.suspend('default', person)
    const [id, thing] = stand.things.find('t')!
    // Nobody is told: the next look at everything finds it.
    stand.things.live.set(id, { ...thing, size: 5 })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n', 'things/new.yml': 'name: new\n' })
    await eventually(async () => {
      clock.tick(60_000)
      return (await stand.controller.drift({ open: true })).items[0]?.live === 5
    })
    for (let minutes = 0; minutes < 10; minutes++) {
      clock.tick(60_000)
      await eventually(async () => {
        const { items } = await stand.controller.resources({})
        return items[0]!.conditions.find(({ type }) => type === 'Ready')?.status === 'True'
      })
    }
    expect([stand.names(), stand.things.find('t')![1].size]).toEqual([['t'], 5])
    await stand.controller.resume('default', person)
    await eventually(() => (clock.tick(500), stand.things.find('t')![1].size === 2 && stand.names().length === 2))
  })
})
