import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { createStand, person, type Stand } from '../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const names = ['beta', 'alpha', 'delta', 'gamma', 'Zeta', 'al']
  const inOrder = ['Zeta', 'al', 'alpha', 'beta', 'delta', 'gamma']

  const files = Object.fromEntries(names.map((name) => [`things/${name}.yml`, `name: ${name}\n`]))

  async function createThings(clock = new TestClock(Date.now())): Promise<Stand> {
    const opened = await createStand(database.db, { clock, start: false })
    await opened.files(files)
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

  const slice = async (filter: object, cursor = '', limit = 50, side: 'after' | 'before' = 'after') => {
    const { items, ...rest } = await stand.controller.resourceSlice(filter, { limit, side, cursor })
    return { names: items.map(({ name }) => name), ...rest }
  }
  const none = { changed: 0, contested: 0, drifted: 0, failing: 0, odd: 0, suspended: 0, unknown: 0, waiting: 0 }

  test('pages by cursor in each order from both ends', async () => {
    stand = await createThings()
    const orders = [
      [undefined, inOrder],
      ['name', inOrder],
      ['-name', inOrder.toReversed()],
      ['source', inOrder],
      ['file', inOrder],
      ['-file', inOrder.toReversed()],
    ] as const
    for (const [sort, whole] of orders) {
      const first = await slice({ sort }, '', 4)
      const second = await slice({ sort }, first.next!, 4)
      expect([first.names, second.names]).toEqual([whole.slice(0, 4), whole.slice(4)])
      expect([first.previous, second.next]).toEqual([null, null])
      expect((await slice({ sort }, second.previous!, 4, 'before')).names).toEqual(first.names)
      expect((await slice({ sort }, '', 4, 'before')).names).toEqual(whole.slice(2))
      expect(
        (await stand.controller.resources({ sort }, { limit: 2, offset: 1 })).items.map(({ name }) => name),
      ).toEqual(whole.slice(1, 3))
    }
    const { next } = await slice({ sort: 'name' }, '', 4)
    await expect(slice({ sort: '-name' }, next!)).rejects.toMatchObject({ status: 400, errors: [{ path: 'after' }] })
  })

  test('searches by words, states and labels, and counts all states', async () => {
    stand = await createStand(database.db)
    await stand.files({ ...files, 'things/beta.yml': 'name: beta\nlabels: {team: build}\nsize: 1\n' })
    await stand.pass()
    stand.things.changeByHand('delta', { size: 9 })
    await eventually(async () => (await slice({ q: 'is:drifted' })).counts!.synced === 5)
    await stand.controller.suspendResource('things', 'al', person)
    const counts = { ...none, total: 6, synced: 5, drifted: 1, suspended: 1, odd: 2 }
    expect(await slice({ q: 'is:odd' }, '', 1)).toMatchObject({ names: ['al'], counts, next: expect.any(String) })
    expect((await slice({ q: 'is:drifted' })).names).toEqual(['delta'])
    expect((await slice({ q: 'is:synced is:odd' })).names).toEqual(['al'])
    expect(await slice({ q: 'al' })).toMatchObject({
      names: ['al', 'alpha'],
      counts: { ...none, total: 2, synced: 2, suspended: 1, odd: 1 },
    })
    expect((await slice({ labels: 'team=build' })).names).toEqual(['beta'])
    expect((await stand.controller.resources({ q: 'is:drifted' })).items).toMatchObject([
      { name: 'delta', sides: { desired: true, live: false }, states: ['drifted', 'odd'], labels: {} },
    ])
    await expect(slice({ q: 'is:strange' })).rejects.toMatchObject({ status: 400, errors: [{ path: 'q' }] })
  })

  test('keeps labels over a restart and follows a change of labels alone', async () => {
    stand = await createThings()
    const labels = async () => (await stand.controller.resource('things', 'beta')).labels
    expect(await labels()).toEqual({})
    await stand.files({ 'things/beta.yml': 'name: beta\nlabels: {team: build}\n' })
    await stand.pass()
    expect(await labels()).toEqual({ team: 'build' })
    await stand.reopen()
    expect((await stand.controller.resources({ labels: 'team' })).items).toMatchObject([{ name: 'beta' }])
    await stand.files({ 'things/beta.yml': 'name: beta\n' })
    await stand.pass()
    expect(await labels()).toEqual({})
  })

  test('dates each side of a resource', async () => {
    const clock = new TestClock(Date.UTC(2030, 0, 1))
    stand = await createThings(clock)
    const timesOf = async (name: string) => {
      const { items } = await stand.controller.resources({})
      return items.find((each) => each.name === name)!.times
    }
    const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString()
    const { revision } = (await timesOf('al')).desired
    expect(await timesOf('al')).toEqual({
      desired: { at: at(0), revision: expect.any(String) },
      last_applied: { at: at(0), revision },
      live: { at: at(0) },
    })
    clock.tick(60_000)
    await stand.files({ 'things/al.yml': 'name: al\nsize: 3\n' })
    await stand.pass()
    const changed = await timesOf('al')
    expect(changed.desired).toEqual({ at: at(1), revision: expect.not.stringMatching(revision!) })
    expect(changed.last_applied).toEqual({ at: at(1), revision: changed.desired.revision })
    expect(await timesOf('alpha')).toMatchObject({ desired: changed.desired, last_applied: { at: at(0), revision } })
    await stand.reopen()
    expect((await timesOf('al')).last_applied).toEqual(changed.last_applied)
  })

  test('follows a change of depends_on alone', async () => {
    stand = await createThings()
    const references = async (name: string) => (await stand.controller.resource('things', name)).references
    await stand.files({ 'things/beta.yml': 'name: beta\ndepends_on: [thing/alpha]\n' })
    await stand.pass()
    expect((await references('beta')).to).toEqual({ total: 1, ids: ['things/alpha'] })
    expect((await references('alpha')).from).toEqual({ total: 1, ids: ['things/beta'] })
    await stand.files({ 'things/beta.yml': 'name: beta\n' })
    await stand.pass()
    expect((await references('alpha')).from).toEqual({ total: 0, ids: [] })
  })

  test('lists resources as changed whose manifest is gone or invalid', async () => {
    stand = await createThings()
    const statesOf = async () => {
      const { items, counts } = await stand.controller.resourceSlice({}, { limit: 50, side: 'after', cursor: '' })
      const changed = items.filter(({ sides }) => !sides.desired)
      expect(changed.every(({ states }) => states.includes('changed') && states.includes('odd'))).toBe(true)
      expect(counts).toMatchObject({ changed: changed.length, odd: changed.length, synced: 6 - changed.length })
      return changed.map(({ name }) => name)
    }
    expect(await statesOf()).toEqual([])
    await stand.files({ 'svc.yaml': 'sync: {prune: false}\n', 'things/al.yml': null })
    await stand.pass()
    expect(await statesOf()).toEqual(['al'])
    expect(await stand.controller.resource('things', 'al')).toMatchObject({
      sides: { desired: false, live: true },
      states: ['changed', 'odd'],
    })
    await stand.files({ 'things/beta.yml': 'name: beta\nsize: large\n' })
    await stand.pass()
    expect(await statesOf()).toEqual(['al', 'beta'])
    await stand.files({ 'things/al.yml': files['things/al.yml']!, 'things/beta.yml': files['things/beta.yml']! })
    await stand.pass()
    expect(await statesOf()).toEqual([])
  })

  test('lists a resource as changed whose requested deletion is pending', async () => {
    stand = await createStand(database.db, { start: false })
    const sent = [{ path: '/team/t.yml', content: 'kind: Thing\nname: t\n' }]
    await stand.controller.apply({ manifests: sent, root: '/team' }, person, () => undefined)
    stand.things.busy.add('t')
    const run = await stand.controller.apply(
      { manifests: sent, root: '/team', delete_all: true },
      person,
      () => undefined,
    )
    expect(run.steps).toMatchObject([{ action: 'delete', status: 'deferred' }])
    expect((await stand.controller.resources({})).items).toMatchObject([
      { name: 't', sides: { desired: false }, states: expect.arrayContaining(['changed', 'odd']) },
    ])
  })

  test('lists some references in both directions and shows all of one resource', async () => {
    stand = await createStand(database.db)
    const users = Array.from({ length: 12 }, (_, index) => `user-${String(index).padStart(2, '0')}`)
    await stand.files({
      'things/parent.yml': 'name: parent\n',
      ...Object.fromEntries(users.map((name) => [`things/${name}.yml`, `name: ${name}\nparent: parent\n`])),
    })
    await stand.pass()
    const ids = users.map((name) => `things/${name}`)
    const [parent, user] = (await stand.controller.resources({}, { limit: 2, offset: 0 })).items
    expect(parent!.references).toEqual({ to: { total: 0, ids: [] }, from: { total: 12, ids: ids.slice(0, 10) } })
    expect(user!.references).toEqual({ to: { total: 1, ids: ['things/parent'] }, from: { total: 0, ids: [] } })
    expect((await stand.controller.resource('things', 'parent')).references.from).toEqual({ total: 12, ids })
  })

  test('locates applied fields in the manifest until it is changed and not applied', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/t.yml': 'name: t\n# The size.\nsize: 1\n' })
    await stand.pass()
    const [liveId] = stand.things.find('t')!
    const placeOf = (path: string) => stand.controller.declared('things', liveId)!.placeOf(path)
    expect(placeOf('size')).toEqual({ source: 'default', file: 'things/t.yml', line: 3 })
    expect(placeOf('hard').line).toBe(1)
    await stand.files({ 'svc.yaml': 'sync: {mode: manual}\n', 'things/t.yml': 'name: t\n\n\nsize: 2\n' })
    await eventually(() => stand.controller.source('default').sync.mode === 'manual' && placeOf('size').line === 1)
    expect(stand.things.find('t')![1].size).toBe(1)
  })

  test('lists 200 resources in at most 60 kB compressed', async () => {
    stand = await createStand(database.db)
    const name = (index: number) => `agent-${createHash('sha256').update(String(index)).digest('hex').slice(0, 16)}`
    const text = (index: number) =>
      `name: ${name(index)}\nlabels: {team: team-${index % 7}, owner: ${name(index + 1000)}}\nparent: ${name(index - (index % 10))}\n`
    const agents = Array.from({ length: 200 }, (_, index): [string, string] => [
      `things/${name(index)}.yml`,
      index % 10 === 0 ? `name: ${name(index)}\n` : text(index),
    ])
    await stand.files(Object.fromEntries(agents))
    await stand.pass()
    const page = await stand.controller.resourceSlice({}, { limit: 200, side: 'after', cursor: '' })
    expect(page.items).toHaveLength(200)
    const size = gzipSync(JSON.stringify(page)).length
    console.info(`a page of 200 resources: ${size} bytes compressed`)
    expect(size).toBeLessThan(60_000)
  })
})
