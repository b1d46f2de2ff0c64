import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const drift = async () => (await stand.controller.drift({})).items
  const recordOf = (path: string) =>
    eventually(async () => (await drift()).find((each) => each.path === path && each.resolution === null))
  const live = () => stand.things.find('t')![1]
  const revert = (id: string, planHash?: string) => stand.controller.revertField({ id, planHash }, person)

  async function open(sync = ''): Promise<void> {
    stand = await createStand(database.db)
    await stand.files({ 'svc.yaml': sync, 'things/t.yml': 'name: t\nsize: 1\nhard: a\n', 'things/u.yml': 'name: u\n' })
    await stand.pass()
    stand.things.changeByHand('t', { size: 5, hard: 'b' })
  }

  test('reverts one field as planned and keeps other drift', async () => {
    await open()
    const [size] = [await recordOf('size'), await recordOf('hard')]
    stand.things.changeByHand('u', { size: 7 })
    const plan = await stand.controller.planFieldRevert(size.id)
    expect(plan.steps).toMatchObject([
      { kind: 'things', name: 't', action: 'update', changes: [{ path: 'size', before: 5, after: 1 }] },
    ])
    expect(live().size).toBe(5)
    const run = await revert(size.id, plan.hash)
    expect(run).toMatchObject({ status: 'succeeded', actor: 'mira', steps: [{ action: 'update', status: 'done' }] })
    expect([live().size, live().hard, stand.things.find('u')![1].size]).toEqual([1, 'b', 7])
    expect((await drift()).find(({ id }) => id === size.id)).toMatchObject({ resolution: 'reverted' })
    expect(await recordOf('hard')).toMatchObject({ live: 'b' })
  })

  test('refuses a plan that has changed, names its hash now, and writes nothing', async () => {
    await open()
    const { id } = await recordOf('size')
    const shown = await stand.controller.planFieldRevert(id)
    stand.things.changeByHand('t', { size: 6 })
    await eventually(async () => (await recordOf('size')).live === 6)
    const { hash } = await stand.controller.planFieldRevert(id)
    await expect(revert(id, shown.hash)).rejects.toMatchObject({
      status: 409,
      code: 'stale-plan',
      message: expect.stringContaining(`plan_hash: expected "${hash}"`),
    })
    expect([live().size, (await stand.controller.runs()).items.filter(({ actor }) => actor === 'mira').length]).toEqual(
      [6, 1],
    )
    expect((await revert(id, hash)).status).toBe('succeeded')
    expect(live().size).toBe(1)
  })

  test('restores a missing resource by its record', async () => {
    await open()
    stand.things.changeByHand('t', null)
    const { id } = await recordOf('')
    const { steps, hash } = await stand.controller.planFieldRevert(id)
    expect(steps).toMatchObject([{ name: 't', action: 'create' }])
    expect((await revert(id, hash)).status).toBe('succeeded')
    expect(live()).toMatchObject({ size: 1, hard: 'a' })
  })

  test('reverts a field of a suspended resource, whatever its rules', async () => {
    await open('sync: {mode: manual, drift: block}\n')
    const { id } = await recordOf('hard')
    await stand.controller.suspendResource('things', 't', person)
    expect((await revert(id)).steps).toMatchObject([{ name: 't', action: 'restart', status: 'done' }])
    expect([live().hard, live().size]).toEqual(['a', 5])
  })

  /** Waits for an automatic pass: it heals another thing. */
  const automaticPass = async () => {
    stand.things.changeByHand('u', { size: 7 })
    await eventually(() => stand.things.find('u')![1].size === 0)
  }
  const endWork = () => {
    stand.things.busy.clear()
    stand.things.changes.publish({ id: stand.things.find('t')![0], name: 't', moved: 'idle' })
  }
  const HEALED = 'name: u\nsync: {mode: auto, drift: heal}\n'

  test('writes nothing later if the resource is busy, and reverts the field when asked again', async () => {
    await open('sync: {mode: manual}\n')
    await stand.files({ 'things/u.yml': HEALED, 'things/t.yml': 'name: t\nsize: 2\nhard: a\n' })
    await automaticPass()
    const { id } = await recordOf('hard')
    stand.things.busy.add('t')
    const { hash } = await stand.controller.planFieldRevert(id)
    expect(await revert(id, hash)).toMatchObject({
      status: 'waiting',
      steps: [{ action: 'restart', status: 'deferred', error: 'waits for work of t to end: revert it again then' }],
    })
    endWork()
    await automaticPass()
    await stand.controller.stop()
    expect(live()).toMatchObject({ size: 5, hard: 'b' })
    await stand.reopen()
    await automaticPass()
    expect(live()).toMatchObject({ size: 5, hard: 'b' })
    expect((await revert(id, hash)).status).toBe('succeeded')
    expect(live()).toMatchObject({ size: 5, hard: 'a' })
  })

  test('leaves a requested change pending that waits for the end of work', async () => {
    await open('sync: {mode: manual}\n')
    await stand.files({ 'things/u.yml': HEALED, 'things/t.yml': 'name: t\nsize: 1\nhard: c\n' })
    stand.things.busy.add('t')
    expect(await stand.pass({ keep_drift: true })).toMatchObject({ status: 'waiting', steps: [{ status: 'deferred' }] })
    const { id } = await recordOf('size')
    const pending = () => stand.controller.resource('things', 't')
    const { desired_hash, waiting } = await pending()
    expect((await revert(id)).steps).toMatchObject([{ action: 'update', status: 'done' }])
    expect(live()).toMatchObject({ size: 1, hard: 'b' })
    expect(await pending()).toMatchObject({ desired_hash, waiting: { since: waiting!.since } })
    endWork()
    await eventually(() => live().hard === 'c')
  })

  test('keeps a value that is newer than the reviewed plan, and records it', async () => {
    await open()
    const { id } = await recordOf('size')
    const { hash } = await stand.controller.planFieldRevert(id)
    stand.things.beforeEffect = () => {
      stand.things.beforeEffect = () => undefined
      stand.things.changeByHand('t', { size: 9 })
    }
    expect((await revert(id, hash)).steps).toMatchObject([
      { status: 'failed', error: expect.stringContaining('size of things/t changed after the reviewed plan') },
    ])
    expect(live()).toMatchObject({ size: 9, hard: 'b' })
    expect(await recordOf('size')).toMatchObject({ id, live: 9 })
    const now = await stand.controller.planFieldRevert(id)
    expect((await revert(id, now.hash)).status).toBe('succeeded')
    expect(live()).toMatchObject({ size: 1, hard: 'b' })
  })

  test('writes a reviewed change although another field changed meanwhile', async () => {
    await open()
    const { id } = await recordOf('size')
    const { hash } = await stand.controller.planFieldRevert(id)
    stand.things.beforeEffect = () => {
      stand.things.beforeEffect = () => undefined
      stand.things.changeByHand('t', { parent: 'u' })
    }
    expect((await revert(id, hash)).status).toBe('succeeded')
    expect(live()).toMatchObject({ size: 1, hard: 'b', parent: 'u' })
  })

  test('observes only the resource of the record', async () => {
    await open()
    const { id } = await recordOf('size')
    const observed: (string | undefined)[] = []
    stand.things.before = (call, name) => void (call.startsWith('observe') && observed.push(name))
    const { summary } = await stand.controller.planFieldRevert(id)
    expect([new Set(observed), summary]).toMatchObject([new Set(['t']), { update: 1, unchanged: 0 }])
  })

  test('refuses an unknown record and a closed one', async () => {
    await open()
    const { id } = await recordOf('size')
    await revert(id)
    for (const attempt of [revert(id), stand.controller.planFieldRevert(id)])
      await expect(attempt).rejects.toMatchObject({
        status: 409,
        message: `drift record ${id} (things/t size) is closed (reverted): there is nothing to revert`,
      })
    const unknown = randomUUID()
    for (const attempt of [revert(unknown), stand.controller.planFieldRevert(unknown)])
      await expect(attempt).rejects.toMatchObject({ status: 404, message: `drift record ${unknown} does not exist` })
  })
})
