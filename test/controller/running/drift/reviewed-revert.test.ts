import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const plan = () => stand.controller.planRevert('things', 't')
  const revert = (planHash?: string) => stand.controller.revert('things', 't', person, planHash)
  const live = () => stand.things.find('t')![1]
  const runsOfPerson = async () => (await stand.controller.runs()).items.filter(({ actor }) => actor === person.actor)
  const openPaths = async () =>
    (await stand.controller.drift({ open: true })).items.map(({ name, path }) => `${name} ${path}`).toSorted()

  async function open(sync = ''): Promise<void> {
    stand = await createStand(database.db)
    await stand.files({ 'svc.yaml': sync, 'things/t.yml': 'name: t\nsize: 1\nhard: a\n', 'things/u.yml': 'name: u\n' })
    await stand.pass()
    stand.things.changeByHand('t', { size: 5, hard: 'b' })
    stand.things.changeByHand('u', { size: 7 })
    await eventually(async () => (await openPaths()).length === 3)
  }

  test('reverts all drift of one resource as planned', async () => {
    await open()
    const { hash, steps } = await plan()
    expect(steps).toMatchObject([
      {
        name: 't',
        action: 'restart',
        changes: [
          { path: 'hard', before: 'b', after: 'a' },
          { path: 'size', before: 5, after: 1 },
        ],
      },
    ])
    expect([live().size, (await runsOfPerson()).length]).toEqual([5, 1])
    expect(await revert(hash)).toMatchObject({ status: 'succeeded', steps: [{ action: 'restart', status: 'done' }] })
    expect(live()).toMatchObject({ size: 1, hard: 'a' })
    expect(await openPaths()).toEqual(['u size'])
  })

  test('refuses a plan that has changed, names its hash now, and writes nothing', async () => {
    await open()
    const shown = await plan()
    stand.things.changeByHand('t', { size: 6 })
    const { hash } = await plan()
    await expect(revert(shown.hash)).rejects.toMatchObject({
      status: 409,
      code: 'stale-plan',
      message: `the plan to revert things/t is stale: nothing was changed; plan_hash: expected "${hash}", the hash of the plan now; got "${shown.hash}"`,
    })
    expect([live().size, live().hard, (await runsOfPerson()).length]).toEqual([6, 'b', 1])
    expect((await revert(hash)).status).toBe('succeeded')
  })

  test('keeps a value that is newer than the reviewed plan', async () => {
    await open()
    const { hash } = await plan()
    stand.things.beforeEffect = () => {
      stand.things.beforeEffect = () => undefined
      stand.things.changeByHand('t', { size: 9 })
    }
    expect((await revert(hash)).steps).toMatchObject([
      { status: 'failed', error: expect.stringContaining('of things/t changed after the reviewed plan') },
    ])
    expect(live()).toMatchObject({ size: 9, hard: 'b' })
  })

  test('writes nothing later if a reviewed plan would interrupt work', async () => {
    await open()
    stand.things.busy.add('t')
    const { hash, steps } = await plan()
    expect(steps).toMatchObject([{ interrupts: 'work of t' }])
    expect(await revert(hash)).toMatchObject({
      status: 'waiting',
      steps: [{ status: 'deferred', error: expect.stringContaining('revert it again then') }],
    })
    stand.things.busy.clear()
    stand.things.changes.publish({ id: stand.things.find('t')![0], name: 't', moved: 'idle' })
    await stand.pass({ keep_drift: true })
    expect(live().hard).toBe('b')
    expect((await revert((await plan()).hash)).status).toBe('succeeded')
    expect(live()).toMatchObject({ size: 1, hard: 'a' })
  })

  test('restores a deleted resource as planned', async () => {
    await open()
    stand.things.changeByHand('t', null)
    await eventually(async () => (await openPaths()).includes('t '))
    const { hash, steps } = await plan()
    expect(steps).toMatchObject([{ name: 't', action: 'create' }])
    expect((await revert(hash)).status).toBe('succeeded')
    expect(live()).toMatchObject({ size: 1, hard: 'a' })
  })

  test('plans nothing for a resource without drift, and refuses one that was never applied', async () => {
    await open()
    await revert()
    expect((await plan()).steps).toEqual([])
    stand.things.failing.set('v', new Error('no room'))
    await stand.files({ 'things/v.yml': 'name: v\n' })
    await stand.pass()
    await expect(stand.controller.planRevert('things', 'v')).rejects.toMatchObject({
      status: 409,
      code: 'never-applied',
    })
    await expect(stand.controller.planRevert('things', 'w')).rejects.toMatchObject({ status: 404 })
  })
})
