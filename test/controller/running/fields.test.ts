import { afterEach, expect, test } from 'vitest'
import { WriteGuards } from '../../../platform/store/write-guards.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { createStand, person, type Stand } from '../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())
  const thing = () => stand.things.find('a')![1]

  test('heals one field of a resource and reports another', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/a.yml': 'name: a\nsize: 1\nhard: x\nsync: {fields: {size: heal}}\n' })
    await stand.pass()
    stand.things.changeByHand('a', { size: 7, hard: 'y' })
    await eventually(() => thing().size === 1)
    expect(thing().hard).toBe('y')
    await eventually(async () => {
      const { items } = await stand.controller.drift({})
      const ends = items.map(({ path, resolution }) => `${path} ${resolution}`).sort()
      return ends.join() === 'hard null,size healed'
    })
  })

  test('does not change a resource automatically while a blocked field drifts', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/a.yml': 'name: a\nsize: 1\nsync: {drift: heal, fields: {hard: block}}\n' })
    await stand.pass()
    stand.things.changeByHand('a', { hard: 'y' })
    await eventually(async () => (await stand.controller.drift({ open: true })).items.length === 1)
    const plan = await stand.controller.plan({ source: 'default', keep_drift: true }, person)
    expect([plan.steps, plan.drift.map(({ path }) => path)]).toEqual([[], ['hard']])
  })

  test('blocks only manual writes to managed fields', async () => {
    const guards = new WriteGuards()
    stand = await createStand(database.db, { guards })
    await stand.files({ 'things/a.yml': 'name: a\nsync: {drift: block, ignore: [env]}\n' })
    await stand.pass()
    const [id] = stand.things.find('a')!
    const write = (members: string[], by = { ...person, endpoint: 'PUT /things/{id}' }) =>
      guards.check({ kind: 'things', id, members, by })
    const refused = expect.objectContaining({ status: 409, code: 'managed-by-manifest' })
    const attempt = (...given: Parameters<typeof write>) => {
      try {
        return write(...given)
      } catch (error) {
        return error
      }
    }
    expect(attempt(['size'])).toEqual(refused)
    expect(attempt([''])).toEqual(refused)
    expect(attempt(['env.HOME', 'env'])).toBeUndefined()
    expect(attempt(['env.HOME', 'hard'])).toEqual(refused)
    expect(attempt(['size'], { ...person, actor: 'PUT /things/{id}', endpoint: 'controller' })).toBeUndefined()
    expect(attempt(['size'], { ...person, actor: 'controller', endpoint: 'PUT /things/{id}' })).toEqual(refused)
    await stand.controller.suspend('default', person)
    expect(attempt(['size'])).toBeUndefined()
  })
})
