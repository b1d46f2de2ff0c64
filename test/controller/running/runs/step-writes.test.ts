import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { createStand, person, type Stand, type ThingSpec } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  /** Creates a thing that is changed manually right before the next write. */
  async function open(byHand: Partial<ThingSpec> | null, rules = ''): Promise<void> {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'svc.yaml': `sync: {${rules}}\n`, 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    stand.things.beforeEffect = () => {
      stand.things.beforeEffect = () => undefined
      stand.things.changeByHand('t', byHand)
    }
  }
  const pass = async (manifest: string) => {
    await stand.files({ 'things/t.yml': manifest })
    return stand.pass({ keep_drift: true })
  }
  const live = () => stand.things.find('t')?.[1]
  const drift = async () => (await stand.controller.drift({})).items

  test('keeps a manual write to another field and reports drift', async () => {
    await open({ parent: 'by hand' })
    expect((await pass('name: t\nsize: 2\n')).steps).toMatchObject([{ action: 'update', status: 'done' }])
    expect(live()).toMatchObject({ size: 2, parent: 'by hand' })
    await stand.pass({ keep_drift: true })
    const plan = await stand.controller.plan({ source: 'default', keep_drift: true }, person)
    expect(plan.drift).toMatchObject([{ path: 'parent', live: 'by hand' }])
  })

  test('records a manual write to the same field before overwriting it', async () => {
    await open({ size: 9 })
    expect((await pass('name: t\nsize: 2\n')).steps).toMatchObject([{ action: 'update', status: 'done' }])
    expect(live()).toMatchObject({ size: 2 })
    expect(await drift()).toMatchObject([{ path: 'size', live: 9, desired: 2, last_applied: 1, actor: 'mira' }])
  })

  test('records a manual write before the plan, then overwrites it', async () => {
    await open(null)
    stand.things.beforeEffect = () => undefined
    stand.things.changeByHand('t', { size: 9 })
    await pass('name: t\nsize: 2\n')
    expect(live()).toMatchObject({ size: 2 })
    expect(await drift()).toMatchObject([{ path: 'size', live: 9, desired: 2, last_applied: 1, actor: 'mira' }])
  })

  test('keeps a manual write to the same field under drift: block', async () => {
    await open({ size: 9 }, 'drift: block')
    const run = await pass('name: t\nsize: 2\n')
    expect(run.steps).toMatchObject([{ status: 'failed', error: expect.stringContaining('moved') }])
    expect(live()).toMatchObject({ size: 9 })
    expect(await drift()).toMatchObject([{ path: 'size', live: 9, actor: 'mira', resolution: null }])
  })

  test('does not recreate a resource deleted meanwhile', async () => {
    await open(null)
    expect((await pass('name: t\nsize: 2\n')).steps).toMatchObject([{ action: 'update', status: 'failed' }])
    expect(live()).toBeUndefined()
    expect((await pass('name: t\nsize: 2\n')).steps).toMatchObject([{ action: 'create', status: 'done' }])
  })

  test('observes an adopted resource again if it changed meanwhile', async () => {
    await open({ size: 9 })
    stand.things.live.set('one', { name: 'a', size: 5, hard: '', parent: null, env: {} })
    stand.things.beforeEffect = () => {
      stand.things.beforeEffect = () => undefined
      stand.things.changeByHand('a', { size: 6 })
    }
    await stand.files({ 'things/a.yml': 'name: a\nsize: 7\n' })
    expect((await stand.pass()).steps).toMatchObject([{ action: 'adopt', status: 'failed' }])
    expect(stand.things.find('a')![1].size).toBe(6)
    expect((await stand.controller.resources({})).items.map(({ name }) => name)).toEqual(['t'])
    expect((await stand.pass()).steps).toMatchObject([{ action: 'adopt', status: 'done' }])
    expect(stand.things.find('a')![1].size).toBe(7)
  })

  test('reverts the effect of a failed step without recording drift', async () => {
    await open({})
    stand.things.beforeEffect = () => undefined
    stand.things.afterEffect = () => {
      stand.things.afterEffect = () => undefined
      throw new Error('it did not answer')
    }
    expect((await pass('name: t\nsize: 2\n')).steps).toMatchObject([{ status: 'failed' }])
    expect(live()).toMatchObject({ size: 2 })
    expect((await pass('name: t\nsize: 1\n')).steps).toMatchObject([{ action: 'update', status: 'done' }])
    expect(live()).toMatchObject({ size: 1 })
    expect(await drift()).toEqual([])
  })

  test('owns and deletes nothing after a failed adoption', async () => {
    await open({})
    stand.things.beforeEffect = () => undefined
    stand.things.live.set('one', { name: 'a', size: 5, hard: '', parent: null, env: {} })
    stand.things.failing.set('a', new Error('service unavailable'))
    await stand.files({ 'things/a.yml': 'name: a\nsize: 7\n' })
    expect((await stand.pass()).steps).toMatchObject([{ action: 'adopt', status: 'failed' }])
    await stand.files({ 'things/a.yml': null })
    await stand.pass()
    expect(stand.things.live.get('one')).toMatchObject({ size: 5 })
    expect((await stand.controller.resources({})).items.map(({ name }) => name)).toEqual(['t'])
  })

  test('restarts an adopted resource that runs with other values', async () => {
    stand = await createStand(database.db, { start: false })
    const thing = { name: 't', size: 1, hard: 'new', parent: null, env: {} }
    stand.things.live.set('one', thing)
    stand.things.running.set('one', { ...thing, hard: 'old' })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\nhard: new\n' })
    const plan = await stand.controller.plan({ source: 'default' }, person)
    expect(plan.steps).toMatchObject([
      { action: 'adopt', changes: [{ path: 'hard', before: 'old', after: 'new', cost: 'restart' }] },
    ])
    await stand.pass()
    expect(stand.things.running.size).toBe(0)
  })
})
