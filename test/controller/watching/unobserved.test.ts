import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { createStand, person, type Stand } from '../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const open = async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({
      'things/base.yml': 'name: base\n',
      'things/other.yml': 'name: other\n',
      'gadgets/g.yml': 'name: g\ndepends_on: [things/base]\n',
      'gadgets/h.yml': 'name: h\n',
      'things/top.yml': 'name: top\ndepends_on: [gadgets/g]\n',
      'svc.yaml': 'sync:\n  max_delete: 100%\n',
    })
    expect((await stand.pass()).status).toBe('succeeded')
  }
  const failGadgets = () => {
    stand.gadgets.before = () => Promise.reject(new Error('the gadget service is down'))
  }
  const verdict = async (id: string) => {
    const [kind = '', name = ''] = id.split('/')
    const { items } = await stand.controller.resources({ kind })
    return items.find((each) => each.name === name)!.conditions.find(({ type }) => type === 'Ready')
  }

  test('plans nothing for a failing kind and applies other kinds', async () => {
    await open()
    failGadgets()
    await stand.files({ 'things/other.yml': 'name: other\nsize: 5\n', 'gadgets/h.yml': 'name: h\nsize: 5\n' })
    const run = await stand.pass()
    expect(run.steps.map(({ name, status }) => `${name} ${status}`)).toEqual(['other done'])
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('the gadget service is down') })
    expect(run.diagnostics).toMatchObject([{ code: 'unreachable', kind: 'gadgets' }])
    expect(await verdict('gadgets/h')).toMatchObject({ status: 'Unknown', reason: 'Unreachable' })
    expect(await verdict('things/other')).toMatchObject({ status: 'True' })
    expect(stand.controller.source('default').error).toContain('the gadget service is down')
    expect(await stand.controller.health!()).toMatchObject({ status: 'degraded', sources_in_error: ['default'] })
    stand.gadgets.before = () => undefined
    expect((await stand.pass()).steps.map(({ name, status }) => `${name} ${status}`)).toEqual(['h done'])
    await eventually(async () => (await verdict('gadgets/h'))?.status === 'True')
    expect(stand.controller.source('default').error).toBeNull()
  })

  test('deletes no unknown resource, its dependencies or its dependents', async () => {
    await open()
    failGadgets()
    await stand.files({ gadgets: null, 'things/base.yml': null, 'things/top.yml': null, 'things/other.yml': null })
    await stand.pass()
    expect([stand.things.removed, stand.gadgets.removed]).toEqual([['other'], []])
    stand.gadgets.before = () => undefined
    await stand.pass()
    expect([stand.things.removed, stand.gadgets.removed]).toEqual([
      ['other', 'top', 'base'],
      ['g', 'h'],
    ])
  })

  test('creates a resource only when its dependency can be observed', async () => {
    stand = await createStand(database.db, { start: false })
    failGadgets()
    await stand.files({ 'gadgets/g.yml': 'name: g\n', 'things/t.yml': 'name: t\ndepends_on: [gadgets/g]\n' })
    expect((await stand.pass()).steps).toEqual([])
    stand.gadgets.before = () => undefined
    expect((await stand.pass()).steps.map(({ action, name }) => `${action} ${name}`)).toEqual(['create g', 'create t'])
  })

  test('keeps drift of a resource when its observation fails', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'gadgets/g.yml': 'name: g\nsize: 1\n' })
    await stand.pass()
    stand.gadgets.changeByHand('g', { size: 7 })
    await eventually(async () => (await stand.controller.drift({ open: true })).items.length === 1)
    failGadgets()
    const [id] = stand.gadgets.find('g')!
    stand.gadgets.changes.publish({ id, name: 'g' })
    await eventually(async () => (await verdict('gadgets/g'))?.reason === 'Unreachable')
    expect((await stand.controller.drift({ open: true })).items).toMatchObject([{ path: 'size', live: 7 }])
  })

  test('reports a hanging kind as unreachable after the deadline', async () => {
    const clock = new TestClock(Date.now())
    stand = await createStand(database.db, { start: false, clock })
    await stand.files({ 'gadgets/g.yml': 'name: g\n', 'things/t.yml': 'name: t\n' })
    const asked = new Promise<void>((resolve) => {
      stand.gadgets.before = () => new Promise(() => resolve())
    })
    const planned = stand.controller.plan({ source: 'default' }, person)
    await asked
    // The other kinds answer before the next event-loop turn.
    await new Promise(setImmediate)
    clock.tick(10_000)
    const plan = await planned
    expect(plan.steps.map(({ name }) => name)).toEqual(['t'])
    expect(plan.diagnostics).toMatchObject([{ code: 'unreachable', message: expect.stringContaining('within 10 s') }])
  })
})
