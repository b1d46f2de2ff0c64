import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  test('records drift and health of a suspended source without changes', async () => {
    const clock = new TestClock(Date.now())
    stand = await createStand(database.db, { clock })
    await stand.files({ 'svc.yaml': 'sync:\n  drift: heal\n', 'things/t.yml': 'name: t\nsize: 1\n' })
    await eventually(() => (clock.tick(500), stand.names().length === 1))
    await stand.controller.suspend('default', person)
    const [id, thing] = stand.things.find('t')!
    // Without an event, the next resync finds it.
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

  const MANIFEST = 'name: a\nsize: 1\nsync: {drift: heal}\n'
  const size = (name: string) => stand.things.find(name)?.[1].size
  const openDrift = async () =>
    (await stand.controller.drift({ open: true })).items.map(({ name, live }) => [name, live])
  const condition = async () =>
    (await stand.controller.resource('things', 'a')).conditions.find(({ type }) => type === 'Suspended')

  async function open(): Promise<void> {
    stand = await createStand(database.db)
    await stand.files({ 'things/a.yml': MANIFEST, 'things/b.yml': MANIFEST.replace('name: a', 'name: b') })
    await stand.pass()
    const shown = await stand.controller.suspendResource('thing', 'a', person)
    expect(shown).toMatchObject({ id: 'things/a', suspended: { actor: 'mira', since: expect.any(String) } })
    await eventually(async () => (await condition())?.status === 'True')
  }

  test('reports but does not heal drift of a suspended resource', async () => {
    await open()
    stand.things.changeByHand('a', { size: 7 })
    stand.things.changeByHand('b', { size: 7 })
    await eventually(async () => size('b') === 1 && (await openDrift()).length === 1)
    expect(await openDrift()).toEqual([['a', 7]])
    await stand.pass()
    await stand.reopen()
    await stand.pass()
    expect([size('a'), await openDrift()]).toEqual([7, [['a', 7]]])
    await stand.controller.revert('things', 'a', person)
    expect(size('a')).toBe(1)
    expect((await stand.controller.resource('things', 'a')).suspended).toMatchObject({ actor: 'mira' })
  })

  test('holds and reports updates and deletions of a suspended resource', async () => {
    await open()
    await stand.files({
      'things/a.yml': MANIFEST.replace('1', '2'),
      'things/b.yml': MANIFEST.replace('name: a', 'name: b').replace('1', '2'),
    })
    const run = await stand.pass()
    expect(run.diagnostics).toMatchObject([
      {
        severity: 'warning',
        code: 'suspended',
        message: 'things/a is suspended: its update waits until it is resumed',
      },
    ])
    expect([run.status, size('a'), size('b')]).toEqual(['succeeded', 1, 2])
    await stand.files({ 'things/a.yml': null })
    const plan = await stand.controller.plan({ source: 'default' }, person)
    expect([plan.steps, plan.guard, plan.diagnostics[0]?.message]).toEqual([
      [],
      null,
      'things/a is suspended: its delete waits until it is resumed',
    ])
    await stand.controller.resumeResource('things', 'a')
    await eventually(() => size('a') === undefined)
  })

  test('applies pending changes on resume and rejects a second resume', async () => {
    await open()
    stand.things.changeByHand('a', { size: 7 })
    await eventually(async () => (await openDrift()).length === 1)
    const again = await stand.controller.suspendResource('things', 'a', { ...person, actor: 'noa' })
    expect(again.suspended?.actor).toBe('mira')
    expect(await stand.controller.resumeResource('things', 'a')).toMatchObject({ suspended: null })
    await eventually(() => size('a') === 1)
    await eventually(async () => (await condition())?.status === 'False')
    await expect(stand.controller.resumeResource('things', 'a')).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('things/a is neither suspended nor contested'),
    })
    await expect(stand.controller.suspendResource('things', 'x', person)).rejects.toMatchObject({ status: 404 })
  })

  test('skips a planned step if its resource is suspended meanwhile', async () => {
    stand = await createStand(database.db)
    const child = (size: number) => `name: a\nsize: ${size}\nparent: b\n`
    await stand.files({ 'things/a.yml': child(1), 'things/b.yml': 'name: b\nsize: 1\n' })
    await stand.pass()
    stand.things.beforeEffect = async (name) => {
      if (name === 'b') await stand.controller.suspendResource('things', 'a', person)
    }
    await stand.files({ 'things/a.yml': child(2), 'things/b.yml': 'name: b\nsize: 2\n' })
    await stand.pass()
    expect([size('a'), size('b')]).toEqual([1, 2])
  })
})
