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

  test('migrates idempotently', async () => {
    await migrate(database.db, migrations)
    expect(await database.db.schema.hasTable('sample_things')).toBe(true)
  })

  test('detects a unique constraint violation', async () => {
    await database.db('sample_things').insert({ name: 'one', count: 1 })
    const error = await database
      .db('sample_things')
      .insert({ name: 'one', count: 2 })
      .catch((caught: unknown) => caught)
    expect(isUniqueViolation(error)).toBe(true)
  })

  test('distinguishes a constraint violation from a storage error, whatever its values', async () => {
    const name = '08123-57P01-53100 SQLITE_FULL ECONNREFUSED'
    const insert = () => write(database.db, (transaction) => transaction('sample_things').insert({ name, count: 1 }))
    await insert()
    const error = await insert().catch((caught: unknown) => caught)
    expect(error).not.toBeInstanceOf(Problem)
    expect(isUniqueViolation(error)).toBe(true)
  })

  test('rolls back a failed write', async () => {
    const failing = write(database.db, async (transaction) => {
      await transaction('sample_things').insert({ name: 'half', count: 1 })
      throw new Error('stopped half way')
    })
    await expect(failing).rejects.toThrow('stopped half way')
    expect(await database.db('sample_things').where({ name: 'half' })).toEqual([])
  })

  test('loses no update of overlapping read-then-write transactions', async () => {
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

test('reads an up-to-date database without writing, and applies missing migrations', async () => {
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

test('answers 503 for a locked SQLite file', async () => {
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

test('answers 503 on a full disk and keeps acknowledged writes', async () => {
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
