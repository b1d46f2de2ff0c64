import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import type { Knex } from '../../../platform/database/database.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { createStand, person, type Stand } from '../fixture.ts'

const KEEP = { keep_drift: true }
const DAY_MS = 86_400_000

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const open = async (svc = '', files: Record<string, string> = { 'things/t.yml': 'name: t\nsize: 1\nhard: a\n' }) => {
    stand = await createStand(database.db)
    await stand.files({ 'svc.yaml': svc, ...files })
    await stand.pass()
  }
  const drift = async () => (await stand.controller.drift({})).items
  const openDrift = async () => (await stand.controller.drift({ open: true })).items
  const causeDrift = async (size: number, actor = 'mira') => {
    stand.things.changeByHand('t', { size }, actor)
    return eventually(async () => (await openDrift()).find(({ live }) => live === size))
  }
  const ended = async () => {
    await eventually(async () => (await openDrift()).length === 0)
    return (await drift()).map(({ path, resolution }) => `${path} ${resolution}`).sort()
  }

  test('closes the drift of a pruned resource', async () => {
    await open('sync: {max_delete: "100%"}\n', { 'things/t.yml': 'name: t\nsize: 1\n', 'things/u.yml': 'name: u\n' })
    await causeDrift(5)
    await stand.files({ 'things/t.yml': null })
    await stand.pass(KEEP)
    expect(stand.names()).toEqual(['u'])
    expect(await openDrift()).toEqual([])
    expect(await drift()).toMatchObject([{ path: 'size', actor: 'mira', resolution: 'pruned' }])
    await stand.reopen()
    expect(await openDrift()).toEqual([])
  })

  test('ignores observations of a resource about to be pruned', async () => {
    await open('sync: {max_delete: "100%"}\n', {
      'things/t.yml': 'name: t\nsize: 1\n',
      'things/u.yml': 'name: u\nparent: t\n',
    })
    await causeDrift(5)
    let go = () => {}
    const going = new Promise<void>((resolve) => (go = resolve))
    stand.things.before = (call, name) => (call === 'remove' && name === 'u' ? going : undefined)
    await stand.files({ 'things/t.yml': null, 'things/u.yml': null })
    const passed = stand.pass(KEEP)
    await eventually(async () => (await database.db('controller_intents')).length === 2)
    let observations = 0
    stand.things.before = (call) => void (call === 'observe' && observations++)
    stand.things.changeByHand('t', { size: 6 })
    await eventually(() => observations > 0)
    go()
    await passed
    expect(await drift()).toMatchObject([{ path: 'size', actor: 'mira', resolution: 'pruned' }])
  })

  test('keeps a record open if the inventory entry cannot be removed', async () => {
    await open('sync: {max_delete: "100%"}\n', { 'things/t.yml': 'name: t\nsize: 1\n', 'things/u.yml': 'name: u\n' })
    await causeDrift(5)
    await database.db.schema.renameTable('controller_drift', 'controller_drift_away')
    try {
      await stand.files({ 'things/t.yml': null })
      const run = await stand.pass(KEEP)
      expect(run.steps).toMatchObject([{ action: 'delete', status: 'failed' }])
      expect((await stand.controller.resources({})).items.map(({ name }) => name)).toContain('t')
    } finally {
      await database.db.schema.renameTable('controller_drift_away', 'controller_drift')
    }
    expect(await openDrift()).toMatchObject([{ path: 'size', resolution: null }])
  })

  test('closes the drift of a source in a teardown', async () => {
    stand = await createStand(database.db)
    const input = { manifests: [{ path: 'things/t.yml', content: 'name: t\nsize: 1\n' }], root: '/sent' }
    await stand.controller.apply(input, person, () => undefined)
    await causeDrift(5)
    await stand.controller.apply({ ...input, delete_all: true }, person, () => undefined)
    expect(stand.controller.sources().map(({ name }) => name)).toEqual(['default'])
    expect(await drift()).toMatchObject([{ path: 'size', resolution: 'pruned' }])
  })

  test('closes the drift of unowned resources at startup', async () => {
    await open()
    await causeDrift(5)
    await stand.controller.stop()
    await database.db('controller_inventory').delete()
    await stand.files({ 'things/t.yml': null })
    await stand.reopen()
    expect(await openDrift()).toEqual([])
    expect(await drift()).toMatchObject([{ resolution: 'pruned' }])
  })

  test.each<[what: string, svc: string, how: () => Promise<unknown>, ends: string[]]>([
    ['the manifest changes the field', '', () => commit('size: 2\nhard: a\n', KEEP), ['size overwritten']],
    [
      'the manifest changes the field under a heal rule',
      HEAL_LATER,
      () => commit('size: 2\nhard: a\n'),
      ['size overwritten'],
    ],
    ['the manifest accepts the value', '', () => commit('size: 5\nhard: a\n', KEEP), ['size accepted']],
    ['a revert is requested', '', () => stand.controller.revert('things', 't', person), ['size reverted']],
    ['a pass is requested', '', () => stand.pass(), ['size reverted']],
    [
      'the value is restored manually',
      '',
      async () => stand.things.changeByHand('t', { size: 1 }, 'jon'),
      ['size resolved'],
    ],
    ['a rule ignores the field', '', () => rules('sync: {ignore: [size]}\n'), ['size ignored']],
    ['a heal rule is added', '', () => rules('sync: {drift: heal}\n'), ['size healed']],
    ['the resource is deleted and recreated', '', () => deletedAndAsked(), [' reverted', 'size superseded']],
  ])('records the right resolution when %s', async (_what, svc, how, ends) => {
    await open(svc)
    await causeDrift(5)
    await how()
    expect(await ended()).toEqual(ends)
  })

  test('resolves the drift of each field separately', async () => {
    await open()
    stand.things.changeByHand('t', { size: 5, hard: 'z' })
    await eventually(async () => (await openDrift()).length === 2)
    await commit('size: 2\nhard: a\n')
    expect(await ended()).toEqual(['hard reverted', 'size overwritten'])
  })

  test('resolves drift of a replaced secret as overwritten', async () => {
    stand = await createStand(database.db, { env: { TOKEN: 'one', OTHER: 'two' } })
    await stand.files({ 'things/t.yml': 'name: t\nenv: {A: "${TOKEN}"}\n' })
    await stand.pass()
    stand.things.changeByHand('t', { env: {} })
    await eventually(async () => (await openDrift()).length === 1)
    await stand.files({ 'things/t.yml': 'name: t\nenv: {A: "${OTHER}"}\n' })
    await stand.pass(KEEP)
    expect(await ended()).toEqual(['env.A overwritten'])
  })

  test('keeps the first author when another changes the value', async () => {
    await open()
    const first = await causeDrift(5, 'mira')
    const second = await causeDrift(6, 'jon')
    expect(second).toMatchObject({ actor: 'jon', request_id: 'request-of-jon', first_seen: first.first_seen })
    expect(second.writers).toMatchObject([
      { actor: 'mira', request_id: 'request-of-mira', endpoint: 'PUT /things/{id}' },
      { actor: 'jon', request_id: 'request-of-jon' },
    ])
    await stand.reopen()
    expect((await openDrift())[0]!.writers).toEqual(second.writers)
  })

  test('keeps the first and last of many authors, without repeats', async () => {
    await open()
    await causeDrift(100, 'first')
    for (let size = 101; size < 115; size++) await causeDrift(size, `hand-${size}`)
    const last = await causeDrift(115, 'hand-114')
    const names = last.writers.map(({ actor }) => actor)
    expect([names.length, names[0], names[1], names.at(-1)]).toEqual([10, 'first', 'hand-106', 'hand-114'])
  })

  test('lists open records first, also across pages', async () => {
    await open()
    const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString()
    const row = (index: number, resolution: string | null) =>
      rowOf({ path: `m${index}`, last_seen: at(index), resolution })
    // The open records are the oldest: a list of the newest would lose them.
    const rows = Array.from({ length: 2400 }, (_, index) => row(index, index < 1100 ? null : 'resolved'))
    for (let from = 0; from < rows.length; from += 50)
      await database.db('controller_drift').insert(rows.slice(from, from + 50))
    const list = (page?: { limit: number; offset: number }, open?: boolean) => stand.controller.drift({ open }, page)
    const whole = await list()
    expect(whole.items.filter(({ resolution }) => resolution === null)).toHaveLength(1100)
    expect(whole.items.slice(0, 1100).map(({ path }) => path)).toEqual(
      Array.from({ length: 1100 }, (_, at) => `m${1099 - at}`),
    )
    const paged = []
    for (let offset = 0; offset < 2400; offset += 200) paged.push(...(await list({ limit: 200, offset })).items)
    expect(paged.map(({ path }) => path).slice(0, 2100)).toEqual(whole.items.map(({ path }) => path))
    expect([whole.total, paged.length, new Set(paged.map(({ path }) => path)).size]).toEqual([2400, 2400, 2400])
    expect(await list({ limit: 200, offset: 1000 }, true)).toMatchObject({ total: 1100, items: { length: 100 } })
    expect(await list({ limit: 1, offset: 0 }, false)).toMatchObject({ total: 1300, items: [{ path: 'm2399' }] })
  })

  test('lists a record only once if it closes during the read', async () => {
    await open()
    const list = async () => {
      const keys = (await drift()).map(({ path, first_seen }) => `${path} ${first_seen}`)
      expect(keys).toEqual([...new Set(keys)])
    }
    for (let size = 2; size < 12; size++) {
      await causeDrift(size)
      stand.things.changeByHand('t', { size: 1 })
      while ((await openDrift()).length > 0) await Promise.all([list(), list(), list(), list()])
    }
  })

  test('deletes only closed records after the retention period', async () => {
    const clock = new TestClock()
    stand = await createStand(database.db, { clock })
    const past = (days: number) => new Date(clock.now() - days * DAY_MS).toISOString()
    const rows = Array.from({ length: 1200 }, (_, index) => rowOf({ path: `old${index}`, last_seen: past(89) }))
    rows.push(
      rowOf({ path: 'young', last_seen: past(1) }),
      rowOf({ path: 'open', last_seen: past(89), resolution: null }),
    )
    for (let from = 0; from < rows.length; from += 50)
      await database.db('controller_drift').insert(rows.slice(from, from + 50))
    clock.tick(3_600_000)
    expect(await count(database.db)).toBe(1202)
    const inTime = clock.now() + DAY_MS / 2
    await eventually(async () => {
      clock.tick(3_600_000)
      return clock.now() > inTime
    })
    expect(await count(database.db)).toBe(1202)
    await eventually(async () => {
      clock.tick(3_600_000)
      return (await count(database.db)) === 2
    })
    expect(new Set(await database.db('controller_drift').pluck('path'))).toEqual(new Set(['open', 'young']))
  })

  const commit = async (members: string, options?: { keep_drift: boolean }) => {
    await stand.files({ 'things/t.yml': `name: t\n${members}` })
    await stand.pass(options)
  }
  const rules = async (svc: string) => {
    await stand.files({ 'svc.yaml': svc })
    await stand.pass(KEEP)
  }
  const deletedAndAsked = async () => {
    stand.things.changeByHand('t', null)
    await eventually(async () => (await openDrift()).some(({ path }) => path === ''))
    await stand.pass()
  }
})

/** Heals only in a requested pass. */
const HEAL_LATER = 'sync: {drift: heal, mode: manual}\n'

const count = async (db: Knex) => Number((await db('controller_drift').count({ n: '*' }).first())!.n)

function rowOf(over: { path: string; last_seen: string; resolution?: string | null }) {
  const [desired, live, last_applied] = ['1', '2', '1']
  const base = { id: randomUUID(), kind: 'things', name: 't', desired, live, last_applied, resolution: 'resolved' }
  return { ...base, first_seen: over.last_seen, ...over }
}
