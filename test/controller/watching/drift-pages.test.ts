import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { controllerMigrations } from '../../../controller/migrations.ts'
import type { DriftFilter } from '../../../controller/face.ts'
import { DriftRecords } from '../../../controller/watching/drift-records.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import { migrate } from '../../../platform/database/database.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import { onEachDatabase } from '../../support/databases.ts'

const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString()

onEachDatabase((database) => {
  let records: DriftRecords
  /** A record of `path`, first seen at minute `from`, closed at minute `to` unless null. */
  const add = (path: string, from: number, to: number | null, more: object = {}) =>
    database.db('controller_drift').insert({
      id: randomUUID(),
      kind: 'things',
      name: 't',
      path,
      desired: '1',
      live: '2',
      last_applied: '1',
      actor: 'mira',
      first_seen: at(from),
      last_seen: at(to ?? from),
      resolution: to === null ? null : 'resolved',
      ...more,
    })
  beforeEach(async () => {
    await migrate(database.db, controllerMigrations)
    await database.db('controller_drift').delete()
    records = await DriftRecords.load({ db: database.db, vault: Vault.ephemeral(), clock: new TestClock() })
  })

  const slice = async (filter: DriftFilter, cursor = '', limit = 50, side: 'after' | 'before' = 'after') => {
    const { items, next, previous } = await records.slice(filter, { limit, side, cursor })
    return { paths: items.map(({ path }) => path), next, previous, items }
  }
  const listed = async (filter: DriftFilter) => (await records.list(filter, null)).items.map(({ path }) => path)

  test('pages all records by cursor, newest first', async () => {
    for (let index = 0; index < 23; index++) await add(`m${index}`, index >> 1, index % 3 === 0 ? null : index + 5)
    const [forward, ids]: [string[], string[]] = [[], []]
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Awaited<ReturnType<typeof slice>> = await slice({}, cursor, 5)
      forward.push(...page.paths)
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.next
    }
    expect(new Set(forward).size).toBe(23)
    expect(new Set(ids).size).toBe(23)
    const minutes = forward.map((path) => Number(path.slice(1)) >> 1)
    expect(minutes).toEqual(minutes.toSorted((a, b) => b - a))
    expect((await slice({}, '', 5, 'before')).paths).toEqual(forward.slice(-5))
  })

  test('keeps the place of a record that closes while pages are read', async () => {
    for (let index = 0; index < 6; index++) await add(`m${index}`, index, null)
    const first = await slice({}, '', 2)
    await database
      .db('controller_drift')
      .where({ path: 'm5' })
      .update({ resolution: 'healed', last_seen: at(90) })
    await database
      .db('controller_drift')
      .where({ path: 'm1' })
      .update({ last_seen: at(91) })
    await add('new', 80, null)
    const second = await slice({}, first.next!, 2)
    const third = await slice({}, second.next!, 2)
    expect([...first.paths, ...second.paths, ...third.paths]).toEqual(['m5', 'm4', 'm3', 'm2', 'm1', 'm0'])
    expect((await slice({}, first.previous ?? '', 2)).paths).toEqual(['new', 'm5'])
  })

  test('filters by the time in which drift was open', async () => {
    await add('ended', 10, 20)
    await add('later', 30, 40)
    await add('open', 5, null)
    const cases: [DriftFilter, string[]][] = [
      [{ since: at(20) }, ['later', 'ended', 'open']],
      [{ since: at(21) }, ['later', 'open']],
      [{ until: at(30) }, ['ended', 'open']],
      [{ until: at(5) }, []],
      [{ since: at(21), until: at(30) }, ['open']],
      [{ since: at(12), until: at(15), open: false }, ['ended']],
      // 00:21 UTC, in another zone and without milliseconds.
      [{ since: '2030-01-01T02:21:00+02:00' }, ['later', 'open']],
    ]
    for (const [filter, paths] of cases) {
      expect([filter, (await slice(filter)).paths]).toEqual([filter, paths])
      expect((await listed(filter)).sort()).toEqual(paths.toSorted())
    }
  })

  test('filters by author, resource and state', async () => {
    await add('a', 1, null)
    await add('b', 2, null, { actor: 'alice' })
    await add('c', 3, 9, { actor: 'alice', name: 'u' })
    await add('d', 4, 9, { actor: null, kind: 'gadgets' })
    const cases: [DriftFilter, string[]][] = [
      [{ actor: 'alice' }, ['c', 'b']],
      [{ actor: 'alice', open: true }, ['b']],
      [{ kind: 'things', name: 't' }, ['b', 'a']],
      [{ open: false }, ['d', 'c']],
      [{ actor: "x' OR '1'='1" }, []],
    ]
    for (const [filter, paths] of cases) {
      expect([filter, (await slice(filter)).paths]).toEqual([filter, paths])
      expect((await listed(filter)).sort()).toEqual(paths.toSorted())
    }
  })

  test('counts records by how they ended, whatever the page and the state', async () => {
    await add('a', 1, null)
    await add('b', 2, 9)
    await add('c', 3, 9, { resolution: 'healed', actor: 'alice' })
    await add('d', 4, 9, { resolution: 'healed' })
    const countsOf = async (filter: DriftFilter, limit = 1) =>
      (await records.slice(filter, { limit, side: 'before', cursor: '' })).counts
    const none = { accepted: 0, ignored: 0, overwritten: 0, pruned: 0, reverted: 0, superseded: 0 }
    const all = { ...none, total: 4, open: 1, resolved: 1, healed: 2 }
    for (const filter of [{}, { open: true }, { open: false }]) expect(await countsOf(filter)).toEqual(all)
    expect(await countsOf({ actor: 'alice' }, 50)).toEqual({ ...none, total: 1, open: 0, resolved: 0, healed: 1 })
    expect(await countsOf({ kind: 'gadgets' })).toEqual({ ...none, total: 0, open: 0, resolved: 0, healed: 0 })
  })

  test('refuses a time that does not exist and a cursor of another list', async () => {
    const leap = '2030-06-30T23:59:60Z'
    for (const filter of [{ since: leap }, { until: leap }])
      await expect(slice(filter)).rejects.toMatchObject({
        status: 400,
        errors: [{ path: Object.keys(filter)[0], message: expect.stringContaining(`got "${leap}"`) }],
      })
    const foreign = Buffer.from(JSON.stringify(['resources kind', 'things', 't'])).toString('base64url')
    await expect(slice({}, foreign)).rejects.toMatchObject({ status: 400, errors: [{ path: 'after' }] })
    await expect(slice({}, 'x', 5, 'before')).rejects.toMatchObject({ status: 400, errors: [{ path: 'before' }] })
  })
})
