import { afterEach, expect, test, vi } from 'vitest'
import { Runs } from '../../../../controller/running/runs/run-records.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(async () => {
    vi.restoreAllMocks()
    await stand.close()
  })

  const plan = (choices: object = {}) => stand.controller.plan({ source: 'default', ...choices }, person)
  const size = (name: string) => stand.things.find(name)?.[1].size
  const runs = async () => (await stand.controller.runs()).items.length
  async function sync(choices: object) {
    const { run_id } = await stand.controller.sync('default', person, choices)
    return eventually(async () => {
      const run = await stand.controller.run(run_id)
      return run.status !== 'running' && run
    })
  }

  async function open(): Promise<void> {
    stand = await createStand(database.db)
    await stand.files({ 'svc.yaml': 'sync: {mode: manual}\n', 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n', 'things/u.yml': 'name: u\n' })
  }

  test('applies the reviewed plan', async () => {
    await open()
    const { hash, summary } = await plan()
    expect(summary).toMatchObject({ create: 1, update: 1 })
    expect(await sync({ plan_hash: hash })).toMatchObject({ status: 'succeeded', steps: [{}, {}] })
    expect([size('t'), size('u')]).toEqual([2, 0])
  })

  test('compares the plan of the same choices', async () => {
    await open()
    const targets = ['things/u']
    const { hash } = await plan({ targets })
    await expect(stand.controller.sync('default', person, { plan_hash: hash })).rejects.toMatchObject({ status: 409 })
    expect(await sync({ targets, plan_hash: hash })).toMatchObject({ status: 'succeeded', steps: [{ name: 'u' }] })
    expect(size('t')).toBe(1)
  })

  test.each([
    ['live state', async () => stand.things.changeByHand('t', { size: 9 })],
    ['the manifests', () => stand.files({ 'things/u.yml': 'name: u\nsize: 4\n' })],
  ])('refuses a plan from before a change of %s, and records no run', async (_what, change) => {
    await open()
    const shown = await plan()
    await change()
    const { hash } = await plan()
    const before = [await runs(), size('t')]
    await expect(stand.controller.sync('default', person, { plan_hash: shown.hash })).rejects.toMatchObject({
      status: 409,
      code: 'stale-plan',
      message: `the plan to sync source default is stale: nothing was changed; plan_hash: expected "${hash}", the hash of the plan now; got "${shown.hash}"`,
    })
    expect([await runs(), size('t'), stand.names()]).toEqual([...before, ['t']])
  })

  test('fails the run if the plan changes before its turn', async () => {
    await open()
    const { hash } = await plan()
    const openRun = Runs.prototype.open
    vi.spyOn(Runs.prototype, 'open').mockImplementationOnce(function (this: Runs, ...about) {
      stand.things.changeByHand('t', { size: 9 })
      return openRun.apply(this, about)
    })
    expect(await sync({ plan_hash: hash })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('the plan to sync source default is stale'),
    })
    expect([size('t'), stand.names()]).toEqual([9, ['t']])
  })

  test('refuses manifests that cannot be read', async () => {
    await open()
    const { hash } = await plan()
    await stand.files({ '.': null })
    await expect(stand.controller.sync('default', person, { plan_hash: hash })).rejects.toMatchObject({
      status: 422,
      code: 'source-unreadable',
    })
  })
})
