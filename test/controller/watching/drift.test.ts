import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { createStand, person, type Stand } from '../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const open = async (svc = '', thing = 'name: t\nsize: 1\nhard: a\n') => {
    stand = await createStand(database.db)
    await stand.files({ 'svc.yaml': svc, 'things/t.yml': thing })
    await stand.pass()
  }
  const drift = async () => (await stand.controller.drift({})).items
  const openDrift = async () => (await stand.controller.drift({ open: true })).items

  test('records a manual change with its author and heals nothing', async () => {
    await open()
    stand.things.changeByHand('t', { size: 5 })
    const [record] = await eventually(async () => (await drift()).length === 1 && drift())
    expect(record).toMatchObject({
      kind: 'things',
      name: 't',
      path: 'size',
      desired: 1,
      live: 5,
      last_applied: 1,
      actor: 'mira',
      request_id: 'request-of-mira',
      endpoint: 'PUT /things/{id}',
      resolution: null,
    })
    await stand.pass({ keep_drift: true })
    expect(stand.things.find('t')![1].size).toBe(5)
  })

  test('heals configured fields and records their drift', async () => {
    await open('sync:\n  self_heal: true\n')
    stand.things.changeByHand('t', { size: 5 })
    const [record] = await eventually(async () => (await drift())[0]?.resolution === 'healed' && drift())
    expect(record).toMatchObject({ path: 'size', live: 5, actor: 'mira' })
    expect(stand.things.find('t')![1].size).toBe(1)
  })

  test('updates an open record when the field changes again', async () => {
    await open()
    stand.things.changeByHand('t', { size: 5 }, 'mira')
    const [first] = await eventually(async () => (await drift()).length === 1 && drift())
    stand.things.changeByHand('t', { size: 6 }, 'jon')
    const moved = await eventually(async () => (await drift())[0]?.live === 6 && drift())
    expect(moved).toHaveLength(1)
    expect(moved[0]).toMatchObject({ actor: 'jon', first_seen: first!.first_seen })
  })

  test('closes a record when the value is restored manually', async () => {
    await open()
    stand.things.changeByHand('t', { size: 5 })
    await eventually(async () => (await openDrift()).length === 1)
    stand.things.changeByHand('t', { size: 1 })
    await eventually(async () => (await openDrift()).length === 0)
    expect((await drift())[0]!.resolution).toBe('resolved')
  })

  test('reverts on request regardless of the rules', async () => {
    await open()
    stand.things.changeByHand('t', { size: 5 })
    await eventually(async () => (await openDrift()).length === 1)
    const atEnd = new Promise((resolve) => stand.controller.events((event) => event.type === 'run' && resolve(drift())))
    const run = await stand.controller.revert('thing', 't', person)
    expect(run).toMatchObject({ status: 'succeeded', actor: 'mira' })
    expect(stand.things.find('t')![1].size).toBe(1)
    expect(await atEnd).toMatchObject([{ resolution: 'reverted' }])
  })

  test('reports a manual deletion without recreating the resource', async () => {
    await open()
    stand.things.changeByHand('t', null)
    const [record] = await eventually(async () => (await drift()).length === 1 && drift())
    expect(record).toMatchObject({ path: '', live: null, actor: 'mira' })
    await stand.pass({ keep_drift: true })
    expect(stand.names()).toEqual([])
  })

  test('keeps a drifted field when the manifest changes another', async () => {
    await open()
    stand.things.changeByHand('t', { size: 5 })
    await eventually(async () => (await openDrift()).length === 1)
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\nhard: b\n' })
    await stand.pass({ keep_drift: true })
    expect(stand.things.find('t')![1]).toMatchObject({ hard: 'b', size: 5 })
    expect((await openDrift()).map((record) => record.path)).toEqual(['size'])
  })

  test('finds drift caused while the daemon was down', async () => {
    await open()
    await stand.controller.stop()
    stand.things.changeByHand('t', { size: 5 })
    await stand.reopen()
    await eventually(async () => (await drift())[0]?.actor === 'mira')
  })

  test('plans no step for kept drift but lists it', async () => {
    await open()
    stand.things.changeByHand('t', { size: 5 })
    const plan = await stand.controller.plan({ source: 'default', keep_drift: true }, person)
    expect(plan.steps).toEqual([])
    expect(plan.drift).toEqual([{ kind: 'things', name: 't', path: 'size', desired: 1, live: 5 }])
  })
})
