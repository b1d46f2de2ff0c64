import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  test('adopts a live resource only if its name is unique', async () => {
    stand = await createStand(database.db, { start: false })
    const thing = { size: 1, hard: '', parent: null, env: {} }
    stand.things.live.set('one', { name: 'a', ...thing })
    stand.things.live.set('two', { name: 'b', ...thing })
    stand.things.live.set('three', { name: 'b', ...thing })
    await stand.files({ 'things/all.yml': 'name: a\nsize: 1\n---\nname: b\nsize: 1\n' })
    const run = await stand.pass()
    expect(run.steps).toMatchObject([{ name: 'a', action: 'adopt', status: 'done', live_id: 'one' }])
    const plan = await stand.controller.plan({ source: 'default' }, person)
    expect(plan.diagnostics).toMatchObject([{ code: 'ambiguous', name: 'b', line: 4 }])
    expect(stand.things.live.size).toBe(3)
  })

  test('observes again after a crash and creates no duplicate', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\n' })
    const crash = new Promise<void>((resolve) => {
      stand.things.afterEffect = () => {
        stand.things.afterEffect = () => undefined
        resolve()
        throw new Error('the process died here')
      }
    })
    await stand.pass()
    await crash
    const [id] = stand.things.find('t')!
    await stand.reopen()
    await stand.pass()
    expect([...stand.things.live.keys()]).toEqual([id])
    expect((await stand.controller.plan({ source: 'default' }, person)).steps).toEqual([])
    stand.things.changeByHand('t', { size: 7 })
    await stand.pass()
    expect((await stand.controller.drift({})).items[0]).toMatchObject({ live: 7, resolution: 'reverted' })
    expect(stand.things.find('t')![1].size).toBe(0)
  })

  test('does not delete a resource that another client created meanwhile', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\n', 'things/u.yml': 'name: u\n' })
    stand.things.failing.set('t', new Error('no room'))
    await stand.pass()
    stand.things.live.set('foreign', { name: 't', size: 1, hard: '', parent: null, env: {} })
    await stand.files({ 'things/t.yml': null })
    await stand.pass()
    expect(stand.things.live.has('foreign')).toBe(true)
    expect((await stand.controller.resources({})).items.map((resource) => resource.name)).toEqual(['u'])
  })

  test('deletes nothing in a run whose creation failed', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/old.yml': 'name: old\n' })
    await stand.pass()
    stand.things.failing.set('new', new Error('no room'))
    await stand.files({ 'things/old.yml': 'name: new\n' })
    expect((await stand.pass()).steps.map((step) => [step.action, step.status])).toEqual([
      ['create', 'failed'],
      ['delete', 'blocked'],
    ])
    expect(stand.names()).toEqual(['old'])
  })

  test('closes a run left open by a crash as interrupted', async () => {
    stand = await createStand(database.db, { start: false })
    await database.db('controller_runs').insert({
      id: 'open',
      source: 'default',
      status: 'running',
      actor: 'a',
      started_at: '2030-01-01T00:00:00.000Z',
      summary: '{}',
    })
    await stand.controller.start()
    expect((await stand.controller.run('open')).status).toBe('interrupted')
  })
})
