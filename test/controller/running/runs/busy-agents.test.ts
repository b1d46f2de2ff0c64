import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  test('restarts a busy resource once it is idle', async () => {
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

  test('applies changes without a restart at once, others when idle', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\nhard: a\n' })
    await stand.pass()
    stand.things.busy.add('t')
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\nhard: b\n' })
    expect(await stand.pass()).toMatchObject({ status: 'waiting', steps: [{ action: 'restart', status: 'deferred' }] })
    expect(stand.things.find('t')![1]).toMatchObject({ size: 2, hard: 'a' })
    stand.things.busy.clear()
    const [id] = stand.things.find('t')!
    stand.things.changes.publish({ id, name: 't', moved: 'idle' })
    await eventually(() => stand.things.find('t')![1].hard === 'b')
    expect((await stand.controller.drift({})).items).toEqual([])
  })

  test('records no further runs while a step keeps waiting', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    stand.things.busy.add('t')
    await stand.files({ 'things/t.yml': 'name: t\nhard: b\n' })
    await eventually(async () => (await stand.controller.runs()).items[0]!.status === 'waiting')
    const { total } = await stand.controller.runs()
    const { revision } = stand.controller.source('default')
    await stand.files({ 'things/t.yml': '# seen again\nname: t\nhard: b\n' })
    await eventually(() => stand.controller.source('default').revision !== revision)
    await stand.controller.plan({ source: 'default' }, person)
    expect((await stand.controller.runs()).total).toBe(total)
  })

  test('restarts the agent after the drain deadline', async () => {
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

  /** Creates a pending restart with a drain time-out of a minute. */
  const startPendingRestart = async (clock: TestClock, start: boolean) => {
    stand = await createStand(database.db, { start, clock, drainTimeoutSecs: 60 })
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    stand.things.busy.add('t')
    await stand.files({ 'things/t.yml': 'name: t\nhard: b\n' })
    await stand.pass()
  }

  test('waits one drain time-out after the clock is set back', async () => {
    const clock = new TestClock()
    await startPendingRestart(clock, false)
    clock.set(-3_600_000)
    expect((await stand.pass()).steps[0]!.status).toBe('deferred')
    clock.tick(59_000)
    expect((await stand.pass()).steps[0]!.status).toBe('deferred')
    clock.tick(1_000)
    expect((await stand.pass()).steps[0]!.status).toBe('done')
  })

  test('restarts automatically in time after the clock is set back', async () => {
    const clock = new TestClock()
    await startPendingRestart(clock, true)
    clock.set(-3_600_000)
    await eventually(() => {
      clock.tick(2_000)
      return stand.things.find('t')![1].hard === 'b'
    })
    expect(clock.monotonic()).toBeLessThan(1_000_000)
  })

  test('defers the restart of a resource that became busy meanwhile', async () => {
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

  test('starts a new drain time-out for each deferred restart', async () => {
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
})
