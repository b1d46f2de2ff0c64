import { afterEach, expect, test } from 'vitest'
import type { ControllerEvent } from '../../controller/face.ts'
import { TestClock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { createStand, person, type Stand } from './stand.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  test('an apply leaves an empty plan, whatever the order of members', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'size: 3\nname: t\nenv: { B: "2", A: "1" }\n' })
    await stand.pass()
    await stand.files({ 'things/t.yml': 'env: { A: "1", B: "2" }\nname: t\nsize: 3\n' })
    const plan = await stand.controller.plan({ source: 'default' }, person)
    expect(plan).toMatchObject({ steps: [], drift: [], summary: { unchanged: 1 } })
  })

  test('a saved file is in force without anybody asking', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await eventually(() => stand.things.find('t')?.[1].size === 1)
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' })
    await eventually(() => stand.things.find('t')?.[1].size === 2)
  })

  test('a source in manual mode waits to be asked', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'svc.yaml': 'sync: { mode: manual }\n', 'things/t.yml': 'name: t\n' })
    await eventually(() => stand.controller.source('default').revision)
    expect(stand.names()).toEqual([])
    const plan = await stand.controller.plan({ source: 'default' }, person)
    expect(plan.summary.create).toBe(1)
    await stand.pass()
    expect(stand.names()).toEqual(['t'])
  })

  test('a resource’s own rules win over its source’s', async () => {
    stand = await createStand(database.db)
    await stand.files({
      'svc.yaml': 'sync: { mode: manual }\n',
      'things/a.yml': 'name: a\nsync: { mode: auto }\n',
      'things/b.yml': 'name: b\n',
    })
    await eventually(() => stand.names().length === 1)
    expect(stand.names()).toEqual(['a'])
  })

  test('takes each step after those it depends on', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/all.yml': 'name: c\nparent: b\n---\nname: b\nparent: a\n---\nname: a\n' })
    await stand.pass()
    expect(stand.things.applied).toEqual(['a', 'b', 'c'])
  })

  test('a failure stops those that depend on it alone, and is tried again until it succeeds', async () => {
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

  test('a cycle stops its members only', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/all.yml': 'name: a\nparent: b\n---\nname: b\nparent: a\n---\nname: free\n' })
    await stand.pass()
    expect(stand.names()).toEqual(['free'])
  })

  test('a busy resource is not restarted until it is idle', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    stand.things.busy.add('t')
    await stand.files({ 'things/t.yml': 'name: t\nhard: b\n' })
    const run = await stand.pass()
    expect(run).toMatchObject({
      status: 'waiting',
      steps: [{ status: 'deferred', error: expect.stringContaining('waits for work of t') }],
    })
    expect(stand.things.find('t')![1].hard).toBe('a')
    stand.things.busy.clear()
    const [id] = stand.things.find('t')!
    stand.things.changes.publish({ id, name: 't' })
    await eventually(() => stand.things.find('t')![1].hard === 'b')
  })

  test('a step that goes on waiting leaves no further runs', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    stand.things.busy.add('t')
    await stand.files({ 'things/t.yml': 'name: t\nhard: b\n' })
    await eventually(async () => (await stand.controller.runs({})).items[0]!.status === 'waiting')
    const { total } = await stand.controller.runs({})
    const { revision } = stand.controller.source('default')
    await stand.files({ 'things/t.yml': '# seen again\nname: t\nhard: b\n' })
    await eventually(() => stand.controller.source('default').revision !== revision)
    await stand.controller.plan({ source: 'default' }, person)
    expect((await stand.controller.runs({})).total).toBe(total)
  })

  test('once the drain deadline has passed, it is restarted all the same', async () => {
    const clock = new TestClock()
    stand = await createStand(database.db, { start: false, clock, drainTimeoutSecs: 60 })
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    stand.things.busy.add('t')
    await stand.files({ 'things/t.yml': 'name: t\nhard: b\n' })
    await stand.pass()
    clock.tick(59_000)
    expect((await stand.pass()).steps[0]!.status).toBe('deferred')
    clock.tick(1_000)
    expect((await stand.pass()).steps[0]!.status).toBe('done')
  })

  test('adopts the one live resource of that name, and refuses to choose between two', async () => {
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

  test('a crash between an effect and its record leads to observing again, and to nothing twice', async () => {
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
    await eventually(async () => (await stand.controller.drift({}))[0]?.live === 7)
    expect(stand.things.find('t')![1].size).toBe(7)
  })

  test('what a creation that failed would have been called is not deleted when somebody else made it', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\n', 'things/u.yml': 'name: u\n' })
    stand.things.failing.set('t', new Error('no room'))
    await stand.pass()
    stand.things.live.set('foreign', { name: 't', size: 1, hard: '', parent: null, env: {} })
    await stand.files({ 'things/t.yml': null })
    await stand.pass()
    expect(stand.things.live.has('foreign')).toBe(true)
    expect((await stand.controller.resources({})).map((resource) => resource.name)).toEqual(['u'])
  })

  test('nothing is deleted in a run in which its replacement could not be made', async () => {
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

  test('a resource that became busy since the plan is not restarted', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/a.yml': 'name: a\nhard: a\n', 'things/b.yml': 'name: b\nparent: a\nhard: a\n' })
    await stand.pass()
    await stand.files({ 'things/a.yml': 'name: a\nhard: b\n', 'things/b.yml': 'name: b\nparent: a\nhard: b\n' })
    stand.things.afterEffect = (name) => void (name === 'a' && stand.things.busy.add('b'))
    expect((await stand.pass()).steps.map((step) => [step.name, step.status])).toEqual([
      ['a', 'done'],
      ['b', 'deferred'],
    ])
  })

  test('a wait that ended without a restart gives the next one its whole time', async () => {
    const clock = new TestClock()
    stand = await createStand(database.db, { start: false, clock, drainTimeoutSecs: 60 })
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    stand.things.busy.add('t')
    await stand.files({ 'things/t.yml': 'name: t\nhard: b\n' })
    await stand.pass()
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    clock.tick(120_000)
    await stand.files({ 'things/t.yml': 'name: t\nhard: c\n' })
    expect((await stand.pass()).steps[0]!.status).toBe('deferred')
  })

  test('a faulty file keeps its last good state in force, healing included', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'svc.yaml': 'sync: { self_heal: true }\n', 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    await stand.files({ 'things/t.yml': 'name: [\n' })
    stand.things.changeByHand('t', { size: 9 })
    expect((await stand.pass()).status).toBe('succeeded')
    expect(stand.things.find('t')![1].size).toBe(1)
  })

  test('a run that a crash left open is closed as interrupted', async () => {
    stand = await createStand(database.db, { start: false })
    await database
      .db('controller_runs')
      .insert({
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

  test('a saved plan is refused, naming what moved, and nothing is changed', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' })
    const plan = await stand.controller.plan({ source: 'default' }, person)
    stand.things.changeByHand('t', { size: 9 })
    const refused = stand.controller.apply({ plan }, person, () => undefined)
    await expect(refused).rejects.toMatchObject({ status: 409, message: expect.stringContaining('things/t moved') })
    expect(stand.things.find('t')![1].size).toBe(9)
  })

  test('a saved plan is refused when a value it does not show has changed', async () => {
    stand = await createStand(database.db, { start: false })
    const input = (value: string) => ({
      manifests: [{ path: 'things/t.yml', content: 'name: t\nenv: { TOKEN: "${TOKEN}" }\n' }],
      root: '/sent',
      source: 'apply:/sent',
      variables: { TOKEN: value },
    })
    const plan = await stand.controller.plan(input('one'), person)
    await expect(stand.controller.apply({ ...input('two'), plan }, person, () => undefined)).rejects.toMatchObject({
      status: 409,
    })
    expect((await stand.controller.apply({ ...input('one'), plan }, person, () => undefined)).status).toBe('succeeded')
  })

  test('a saved plan that still holds is applied', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    const plan = await stand.controller.plan({ source: 'default' }, person)
    const events: ControllerEvent[] = []
    const run = await stand.controller.apply({ plan: JSON.parse(JSON.stringify(plan)) }, person, (event) =>
      events.push(event),
    )
    expect(run.status).toBe('succeeded')
    expect(events.map((event) => event.type)).toEqual(['plan', 'step', 'step', 'run'])
  })

  test('manifests that were sent are a source of their own, without prune unless asked, and can be torn down', async () => {
    stand = await createStand(database.db, { start: false })
    const send = (content: string, more = {}) =>
      stand.controller.apply(
        { manifests: [{ path: 'things/all.yml', content }], root: '/sent', source: 'apply:/sent', ...more },
        person,
        () => undefined,
      )
    await send('name: a\n---\nname: b\n')
    await send('name: a\n')
    expect(stand.names()).toEqual(['a', 'b'])
    await send('name: a\n', { prune: true })
    expect(stand.names()).toEqual(['a'])
    stand.things.live.set('foreign', { name: 'foreign', size: 0, hard: '', parent: null, env: {} })
    await send('name: a\n---\nname: foreign\n', { delete_all: true })
    expect(stand.names()).toEqual(['foreign'])
    expect(stand.controller.sources().map((source) => source.name)).toEqual(['default'])
  })

  test('what one source owns another may not change', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    const input = {
      manifests: [{ path: 'things/t.yml', content: 'name: t\nsize: 2\n' }],
      root: '/sent',
      source: 'apply:/sent',
    }
    const plan = await stand.controller.plan(input, person)
    expect(plan).toMatchObject({
      steps: [],
      diagnostics: [{ code: 'owned-elsewhere', message: 'things/t belongs to source "default" (things/t.yml:1)' }],
    })
  })

  test('a target that nothing answers to is refused, in a plan and in a pass', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\n' })
    await expect(stand.controller.plan({ source: 'default', targets: ['things/nope'] }, person)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('things/nope'),
    })
    const { run_id } = await stand.controller.sync('default', person, { targets: ['things/nope'] })
    await eventually(async () => (await stand.controller.run(run_id)).status === 'failed')
  })

  test('a plan of a folder that is gone says why it cannot be made', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ '.': null })
    await expect(stand.controller.plan({ source: 'default' }, person)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(stand.folder),
    })
  })

  test('a suspended source is left alone until it is resumed', async () => {
    stand = await createStand(database.db)
    await stand.controller.suspend('default', person)
    await expect(stand.controller.sync('default', person)).rejects.toMatchObject({ status: 409 })
    await stand.files({ 'things/t.yml': 'name: t\n' })
    await stand.reopen()
    expect(stand.controller.source('default').suspended).toBe(true)
    await stand.controller.resume('default', person)
    await eventually(() => stand.names().length === 1)
  })

  test('a secret reaches the live system, and nothing else', async () => {
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
      await stand.controller.runs({}),
      await stand.controller.drift({}),
    ])
    for (const secret of ['hunter2', 'plain-secret', 'another-secret']) expect(seen).not.toContain(secret)
  })

  test('a verdict past its deadline reads Unknown', async () => {
    const clock = new TestClock()
    stand = await createStand(database.db, { start: false, clock })
    await stand.files({ 'things/t.yml': 'name: t\n' })
    await stand.pass()
    await stand.pass()
    const ready = async () =>
      (await stand.controller.resources({}))[0]!.conditions.find((condition) => condition.type === 'Ready')
    expect(await ready()).toMatchObject({ status: 'True', reason: 'Healthy' })
    clock.tick(6 * 60_000)
    expect(await ready()).toMatchObject({ status: 'Unknown', reason: 'Expired' })
  })
})
