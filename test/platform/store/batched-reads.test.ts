import * as Type from 'typebox'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../../platform/core/actor.ts'
import { ChangeFeed } from '../../../platform/async/change-feed.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import { write } from '../../../platform/database/database.ts'
import { noLog } from '../../../platform/core/log/log.ts'
import { createAuditTable, Audit } from '../../../platform/store/audit.ts'
import { listen, type LiveChange, type ChangeNotice } from '../../../platform/store/change-log.ts'
import { table } from '../../../platform/store/table.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'

const MANY = 50
const names = Array.from({ length: MANY }, (_each, at) => `t${at}`)

onEachDatabase((database) => {
  const clock = new TestClock()
  const by = (actor: string): Actor => ({ actor, requestId: `request of ${actor}`, endpoint: 'PUT /things/{id}' })
  const audit = () => new Audit({ db: database.db, clock, prefix: 'sample' })
  const record = (actor: string, id: string, members: string[]) =>
    write(database.db, (transaction) => audit().record(transaction, 'things', id, members, by(actor)))
  const things = () =>
    table({ db: database.db, vault: Vault.ephemeral() }, 'sample_things', Type.Object({ id: Type.String() }), {
      what: 'thing',
      private: { number: Type.Integer() },
    })

  beforeAll(async () => {
    await createAuditTable(database.db, 'sample')
    await database.db.schema.createTable('sample_things', (columns) => {
      columns.increments('seq')
      columns.string('id').notNullable().unique()
      columns.integer('number').notNullable()
    })
  })

  let statements: string[] = []
  const note = ({ sql }: { sql: string }) => void statements.push(sql)
  beforeEach(async () => {
    await database.db('sample_audit').delete()
    await database.db('sample_things').delete()
    statements = []
    database.db.on('query', note)
  })
  afterEach(() => void database.db.removeListener('query', note))

  test('batches concurrent reads by key, with null for missing rows', async () => {
    const rows = things()
    await rows.insertAll(names.map((id, number) => ({ id, number })))
    statements = []
    const asked = ['t7', 'gone', ...names, 't7']
    const found = await Promise.all(asked.map((id) => rows.find(id)))
    expect(found.map((row) => row?.number)).toEqual([7, undefined, ...names.keys(), 7])
    expect(found[0]).not.toBe(found.at(-1))
    expect(statements).toHaveLength(2)
    await expect(rows.get('gone')).rejects.toThrow('thing gone does not exist')
  })

  test('rejects only the read whose key the database refuses', async () => {
    const rows = things()
    await rows.insertAll(names.map((id, number) => ({ id, number })))
    const nonsense = { toString: () => 't1', nested: {} } as unknown as string
    const asked = await Promise.allSettled([rows.find('t1'), rows.find(nonsense), rows.find('t2')])
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', expect.any(String), 'fulfilled'])
    await database.db.schema.renameTable('sample_things', 'sample_away')
    try {
      for (const each of await Promise.allSettled([rows.find('t1'), rows.find('t2')]))
        expect(each).toMatchObject({
          status: 'rejected',
          reason: { message: expect.stringContaining('sample_things') },
        })
    } finally {
      await database.db.schema.renameTable('sample_away', 'sample_things')
    }
    expect((await rows.find('t1'))?.number).toBe(1)
  })

  test('finds the last writer of many resources', async () => {
    for (const [at, id] of names.entries()) await record(at % 2 ? 'ann' : 'bob', id, ['size', 'env.A'])
    await record('cid', 't3', ['env'])
    await record('dan', 't4', [''])
    const one = audit()
    const sizes = Promise.all(names.map((id) => one.latest('things', id, 'size')))
    const all = Promise.all(names.map((id) => one.last('things', id)))
    const parts = Promise.all(['t3', 't4', 'gone'].map((id) => one.latest('things', id, 'env.A')))
    const expected: string[] = names.map((id, at) => (id === 't4' ? 'dan' : at % 2 ? 'ann' : 'bob'))
    expect((await sizes).map((each) => each!.actor)).toEqual(expected)
    expect((await all).map((each) => each!.actor)).toEqual(expected.with(3, 'cid'))
    expect((await parts).map((each) => each?.actor)).toEqual(['cid', 'dan', undefined])
    const numbers = (await all).map((each) => each!.seq)
    expect(new Set(numbers).size).toBe(MANY)
  })

  test('publishes concurrent changes in order, each with its author', async () => {
    const feed = new ChangeFeed<LiveChange<'things'>>(noLog)
    const told: ChangeNotice<'things'>[] = []
    const hear = (change: ChangeNotice<'things'>) => {
      told.push(change)
      if (change.id === 't2') throw new Error('not today')
    }
    const stop = listen({ feed, audit: audit(), clock, log: noLog }, hear, { kinds: ['things'] })
    for (const id of names) await record(`writer of ${id}`, id, ['size'])
    for (const id of names) feed.publish({ kind: 'things', id, name: id })
    feed.publish({ kind: 'things', id: 't0', name: 't0', idle: true })
    feed.publish({ kind: 'things', id: 't1', name: 't1' })
    await eventually(() => told.length === MANY + 2)
    stop()
    expect(told.map(({ id }) => id)).toEqual([...names, 't0', 't1'])
    expect(told.map((each) => each.by?.actor)).toEqual([...names.map((id) => `writer of ${id}`), undefined, undefined])
    const cursors = told.map(({ cursor }) => cursor)
    expect(cursors).toEqual([...cursors].sort((a, b) => a - b))
  })
})
