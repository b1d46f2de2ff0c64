import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

const STAYS = { name: 'stays', kind: 'thing', member: 'size', forbid: 9, effect: 'confirm', message: 'it is large' }
const rules = (sync: object) => JSON.stringify({ sync })

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const clock = new TestClock(Date.now())
  const heldBack = () => stand.controller.source('default').held_back
  async function apply(choices: { prune_override?: string; confirm?: string }): Promise<void> {
    await stand.controller.apply({ source: 'default', ...choices }, person, () => undefined)
    await stand.pass()
  }
  async function open(files: Record<string, string>): Promise<void> {
    stand = await createStand(database.db, { clock, start: false })
    await stand.files(files)
    await stand.pass()
  }

  test('shows deletions above the budget until they are allowed', async () => {
    const names = ['a', 'b', 'c', 'd']
    await open({
      'svc.yaml': rules({ max_delete: '1' }),
      ...Object.fromEntries(names.map((name) => [`things/${name}.yml`, `name: ${name}\n`])),
    })
    expect(heldBack()).toBeNull()
    await stand.files({ 'things/a.yml': null, 'things/b.yml': null })
    await stand.pass()
    const found = heldBack()!
    expect(found).toEqual({
      since: new Date(clock.now()).toISOString(),
      deletions: expect.objectContaining({ deletes: 2, allowed: 1, resources: ['things/a', 'things/b'] }),
      steps: null,
    })
    clock.tick(1000)
    await stand.pass()
    expect(heldBack()).toEqual(found)
    await stand.files({ 'things/c.yml': null })
    await stand.pass()
    expect(heldBack()).toMatchObject({ since: new Date(clock.now()).toISOString(), deletions: { deletes: 3 } })
    await apply({ prune_override: heldBack()!.deletions!.hash })
    expect([stand.names(), heldBack()]).toEqual([['d'], null])
  })

  test('shows steps that need confirmation, with their hash', async () => {
    await open({ 'svc.yaml': rules({ policies: [STAYS] }), 'things/t.yml': 'name: t\nsize: 9\n' })
    expect(heldBack()).toMatchObject({
      deletions: null,
      steps: { denied: [], unconfirmed: ['things/t'], hash: expect.stringMatching(/^[0-9a-f]{12}$/) },
    })
    await apply({ confirm: heldBack()!.steps!.hash! })
    expect([stand.names(), heldBack()]).toEqual([['t'], null])
  })

  test('shows steps that policies deny', async () => {
    await open({
      'svc.yaml': rules({ policies: [{ ...STAYS, effect: 'deny' }] }),
      'things/t.yml': 'name: t\nsize: 9\n',
    })
    expect(heldBack()).toMatchObject({ steps: { denied: ['things/t'], unconfirmed: [], hash: null } })
  })
})
