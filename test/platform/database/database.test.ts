import { afterAll, beforeAll, expect, test } from 'vitest'
import { isUniqueViolation, migrate, openDatabase, write, type Knex } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { onEachDatabase, sqliteDatabase } from '../../support/databases.ts'

const migrations = {
  prefix: 'sample',
  steps: [
    {
      name: '001-things',
      up: (db: Knex) =>
        db.schema.createTable('sample_things', (table) => {
          table.string('name').primary()
          table.integer('count').notNullable()
        }),
    },
  ],
}

onEachDatabase((database) => {
  beforeAll(async () => {
    await migrate(database.db, migrations)
  })

  test('migrating twice is migrating once', async () => {
    await migrate(database.db, migrations)
    expect(await database.db.schema.hasTable('sample_things')).toBe(true)
  })

  test('names a violated unique constraint', async () => {
    await database.db('sample_things').insert({ name: 'one', count: 1 })
    const error = await database
      .db('sample_things')
      .insert({ name: 'one', count: 2 })
      .catch((caught: unknown) => caught)
    expect(isUniqueViolation(error)).toBe(true)
  })

  test('a violated constraint is never taken for a lost database, whatever its values look like', async () => {
    const name = '08123-57P01-53100 SQLITE_FULL ECONNREFUSED'
    const insert = () => write(database.db, (transaction) => transaction('sample_things').insert({ name, count: 1 }))
    await insert()
    const error = await insert().catch((caught: unknown) => caught)
    expect(error).not.toBeInstanceOf(Problem)
    expect(isUniqueViolation(error)).toBe(true)
  })

  test('a failed write leaves nothing behind', async () => {
    const failing = write(database.db, async (transaction) => {
      await transaction('sample_things').insert({ name: 'half', count: 1 })
      throw new Error('stopped half way')
    })
    await expect(failing).rejects.toThrow('stopped half way')
    expect(await database.db('sample_things').where({ name: 'half' })).toEqual([])
  })

  test('read-then-write transactions that overlap lose no update', async () => {
    await database.db('sample_things').insert({ name: 'sum', count: 0 })
    const add = () =>
      write(database.db, async (transaction) => {
        const row = await transaction('sample_things').where({ name: 'sum' }).forUpdate().first()
        await transaction('sample_things')
          .where({ name: 'sum' })
          .update({ count: row.count + 1 })
      })
    await Promise.all(Array.from({ length: 20 }, add))
    expect((await database.db('sample_things').where({ name: 'sum' }).first()).count).toBe(20)
  })
})

test('a database that is up to date is read and not written to, and one that lacks a step gets it', async () => {
  const file = await sqliteDatabase()
  const [db, reader] = [openDatabase(file.url), openDatabase(file.url, { readOnly: true })]
  afterAll(() => Promise.all([db.destroy(), reader.destroy()]).then(() => file.remove()))
  await migrate(db, migrations)
  await migrate(reader, migrations)
  const more = { name: '002-more', up: (each: Knex) => each.schema.createTable('sample_more', (t) => t.increments()) }
  const longer = { ...migrations, steps: [...migrations.steps, more] }
  await expect(migrate(reader, longer)).rejects.toThrow(/readonly/)
  await migrate(db, longer)
  expect(await db.schema.hasTable('sample_more')).toBe(true)
})

test('a locked SQLite file refuses the write with 503', async () => {
  const file = await sqliteDatabase()
  const [holder, other] = [openDatabase(file.url), openDatabase(file.url, { busyTimeoutMs: 50 })]
  afterAll(() => Promise.all([holder.destroy(), other.destroy()]).then(() => file.remove()))
  await migrate(holder, migrations)
  await holder.raw('BEGIN IMMEDIATE')
  const refused = await write(other, (transaction) =>
    transaction('sample_things').insert({ name: 'x', count: 1 }),
  ).catch((error: unknown) => error)
  await holder.raw('ROLLBACK')
  expect(refused).toBeInstanceOf(Problem)
  expect(refused).toMatchObject({ status: 503 })
})

test('a full disk refuses the write with 503 and keeps what was acknowledged', async () => {
  const file = await sqliteDatabase()
  const db = openDatabase(file.url)
  afterAll(() => db.destroy().then(() => file.remove()))
  await migrate(db, migrations)
  await write(db, (transaction) => transaction('sample_things').insert({ name: 'kept', count: 1 }))
  const [{ page_count: pages }] = await db.raw('PRAGMA page_count')
  await db.raw(`PRAGMA max_page_count = ${pages}`)
  const refused = await write(db, (transaction) =>
    transaction('sample_things').insert({ name: 'x'.repeat(50_000), count: 1 }),
  ).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 503 })
  expect(await db('sample_things').pluck('name')).toEqual(['kept'])
})
