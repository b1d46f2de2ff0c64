import { afterEach, expect, test } from 'vitest'
import type { ControllerEvent } from '../../../../controller/face.ts'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { Log } from '../../../../platform/core/log/log.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  test('leaves an empty plan after an apply in any field order', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'size: 3\nname: t\nenv: { B: "2", A: "1" }\n' })
    await stand.pass()
    await stand.files({ 'things/t.yml': 'env: { A: "1", B: "2" }\nname: t\nsize: 3\n' })
    const plan = await stand.controller.plan({ source: 'default' }, person)
    expect(plan).toMatchObject({ steps: [], drift: [], summary: { unchanged: 1 } })
  })

  test('applies a saved file automatically', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await eventually(() => stand.things.find('t')?.[1].size === 1)
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' })
    await eventually(() => stand.things.find('t')?.[1].size === 2)
  })

  test('applies a source in manual mode only on request', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'svc.yaml': 'sync: { mode: manual }\n', 'things/t.yml': 'name: t\n' })
    await eventually(() => stand.controller.source('default').revision)
    expect(stand.names()).toEqual([])
    const plan = await stand.controller.plan({ source: 'default' }, person)
    expect(plan.summary.create).toBe(1)
    await stand.pass()
    expect(stand.names()).toEqual(['t'])
  })

  test('prefers the rules of a resource to those of its source', async () => {
    stand = await createStand(database.db)
    await stand.files({
      'svc.yaml': 'sync: { mode: manual }\n',
      'things/a.yml': 'name: a\nsync: { mode: auto }\n',
      'things/b.yml': 'name: b\n',
    })
    await eventually(() => stand.names().length === 1)
    expect(stand.names()).toEqual(['a'])
  })

  test('runs each step after its dependencies', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/all.yml': 'name: c\nparent: b\n---\nname: b\nparent: a\n---\nname: a\n' })
    await stand.pass()
    expect(stand.things.applied).toEqual(['a', 'b', 'c'])
  })

  test('blocks only the dependents of a failed step and retries it', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/all.yml': 'name: a\n---\nname: b\nparent: a\n---\nname: free\n' })
    stand.things.failing.set('a', new Error('no room'))
    const run = await stand.pass()
    expect(run.status).toBe('failed')
    expect(run.steps.map((step) => [step.name, step.status, step.error])).toEqual([
      ['a', 'failed', 'no room'],
      ['free', 'done', null],
      ['b', 'blocked', 'waits for things/a, which failed: no room'],
    ])
    await stand.controller.start()
    stand.things.failing.clear()
    await eventually(() => stand.names().length === 3)
  })

  test('excludes only the resources of a cycle', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/all.yml': 'name: a\nparent: b\n---\nname: b\nparent: a\n---\nname: free\n' })
    await stand.pass()
    expect(stand.names()).toEqual(['free'])
  })

  test('heals drift to the last good state of a faulty file', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'svc.yaml': 'sync: { self_heal: true }\n', 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    await stand.files({ 'things/t.yml': 'name: [\n' })
    stand.things.changeByHand('t', { size: 9 })
    const run = await stand.pass()
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('things/t.yml:1:') })
    expect(run.diagnostics).toHaveLength(1)
    expect(stand.things.find('t')![1].size).toBe(1)
  })

  test('passes a secret only to the live system', async () => {
    const lines: string[] = []
    const keep = (...args: unknown[]) => void lines.push(JSON.stringify(args))
    const log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log } as unknown as Log
    stand = await createStand(database.db, { start: false, log, env: { TOKEN: 'hunter2-hunter2' } })
    const events: ControllerEvent[] = []
    stand.controller.events((event) => events.push(event))
    await stand.files({ 'things/t.yml': 'name: t\nenv: { TOKEN: "${TOKEN}", OTHER: plain-secret-text }\n' })
    await stand.controller.start()
    await stand.pass()
    expect(stand.things.find('t')![1].env.TOKEN!.reveal()).toBe('hunter2-hunter2')
    await stand.files({ 'things/t.yml': 'name: t\nenv: { TOKEN: another-secret, OTHER: plain-secret-text }\n' })
    const plan = await stand.controller.plan({ source: 'default' }, person)
    expect(plan.steps[0]!.changes).toMatchObject([{ path: 'env.TOKEN', before: '***', after: '***' }])
    await stand.pass()
    const tables = await Promise.all(
      ['controller_inventory', 'controller_steps', 'controller_runs', 'controller_drift'].map((table) =>
        database.db(table),
      ),
    )
    const seen = JSON.stringify([
      plan,
      events,
      lines,
      tables,
      await stand.controller.resource('things', 't'),
      await stand.controller.runs(),
      await stand.controller.drift({}),
    ])
    for (const secret of ['hunter2', 'plain-secret', 'another-secret']) expect(seen).not.toContain(secret)
  })

  test('reports an expired verdict as Unknown', async () => {
    const clock = new TestClock()
    stand = await createStand(database.db, { start: false, clock })
    await stand.files({ 'things/t.yml': 'name: t\n' })
    await stand.pass()
    await stand.pass()
    const ready = async () =>
      (await stand.controller.resources({})).items[0]!.conditions.find((condition) => condition.type === 'Ready')
    expect(await ready()).toMatchObject({ status: 'True', reason: 'Healthy' })
    clock.tick(6 * 60_000)
    expect(await ready()).toMatchObject({ status: 'Unknown', reason: 'Expired' })
  })
})
