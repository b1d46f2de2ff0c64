import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { createStand, type Stand } from '../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const names = ['beta', 'alpha', 'delta', 'gamma', 'Zeta', 'al']
  const inOrder = ['Zeta', 'al', 'alpha', 'beta', 'delta', 'gamma']

  async function createThings(clock = new TestClock(Date.now())): Promise<Stand> {
    const opened = await createStand(database.db, { clock, start: false })
    await opened.files(Object.fromEntries(names.map((name) => [`things/${name}.yml`, `name: ${name}\n`])))
    await opened.pass()
    return opened
  }

  const listed = async (filter: object, page?: { limit: number; offset: number }) => {
    const { items, total } = await stand.controller.resources(filter, page)
    return { names: items.map(({ name }) => name), total }
  }
  const counted = () => stand.controller.metrics!.find(({ name }) => name === 'controller_resources')!.read()

  test('returns pages of the sorted list', async () => {
    stand = await createThings()
    expect(await listed({})).toEqual({ names: inOrder, total: 6 })
    expect(await listed({}, { limit: 2, offset: 1 })).toEqual({ names: ['al', 'alpha'], total: 6 })
    expect(await listed({}, { limit: 5, offset: 5 })).toEqual({ names: ['gamma'], total: 6 })
    expect(await listed({ kind: 'things' }, { limit: 1, offset: 0 })).toEqual({ names: ['Zeta'], total: 6 })
    expect(await listed({ source: 'default' }, { limit: 2, offset: 4 })).toEqual({
      names: ['delta', 'gamma'],
      total: 6,
    })
    expect(await listed({ source: 'another' })).toEqual({ names: [], total: 0 })
    expect(await counted()).toEqual({ things: 6 })
  })

  test('updates order and counts on changes and restarts', async () => {
    stand = await createThings()
    await stand.files({ 'things/alpha.yml': null, 'things/beth.yml': 'name: beth\n' })
    await stand.pass()
    const now = { names: ['Zeta', 'al', 'beta', 'beth', 'delta', 'gamma'], total: 6 }
    expect(await listed({})).toEqual(now)
    expect(await counted()).toEqual({ things: 6 })
    await stand.reopen()
    expect(await listed({})).toEqual(now)
  })

  test('filters by status using only current verdicts', async () => {
    const clock = new TestClock(Date.now())
    stand = await createThings(clock)
    await stand.pass()
    expect((await listed({ status: 'Ready' }, { limit: 2, offset: 2 })).names).toEqual(['alpha', 'beta'])
    expect((await listed({ status: 'Ready' })).total).toBe(6)
    expect((await listed({ status: 'Drifted' })).total).toBe(0)
    clock.tick(5 * 60_000)
    expect((await listed({ status: 'Ready' })).total).toBe(6)
    clock.tick(1)
    expect((await listed({ status: 'Ready' })).total).toBe(0)
  })
})
