// Concurrent, failing and nested statements on SQLite.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, write, type Knex } from '../../../platform/database/database.ts'
import { sqliteDatabase } from '../../support/databases.ts'

let database: Awaited<ReturnType<typeof sqliteDatabase>>
let db: Knex
beforeEach(async () => {
  database = await sqliteDatabase()
  db = openDatabase(database.url)
  await db.schema.createTable('things', (columns) => {
    columns.string('id').primary()
    columns.integer('number')
  })
})
afterEach(async () => {
  await db.destroy()
  await database.remove()
})

const numbers = async () => (await db('things').orderBy('id').select('number')).map(({ number }) => number as number)

test('runs one statement concurrently with different values', async () => {
  await db('things').insert(Array.from({ length: 100 }, (_each, number) => ({ id: `t${number}`, number })))
  const asked = Array.from({ length: 100 }, (_each, number) => number)
  const within = await db.transaction((transaction) =>
    Promise.all(
      asked.map((number) =>
        transaction('things')
          .where({ id: `t${number}` })
          .first('number'),
      ),
    ),
  )
  expect(within.map(({ number }) => number)).toEqual(asked)
  const changed = await Promise.all(
    asked.map((number) => db('things').where('number', '<=', number).update({ number })),
  )
  expect(changed).toEqual(asked.map((number) => number + 1))
})

test('reuses a statement after a constraint, missing table or schema error', async () => {
  const insert = (id: string) => db('things').insert({ id, number: 1 })
  await insert('a')
  await expect(insert('a')).rejects.toThrow('UNIQUE')
  await insert('b')
  const others = () => db('others').select('*')
  await expect(Promise.all([others(), others()])).rejects.toThrow('no such table')
  await db.schema.createTable('others', (columns) => columns.string('id'))
  await db('others').insert({ id: 'x' })
  expect(await others()).toEqual([{ id: 'x' }])
  await db.schema.alterTable('others', (columns) => columns.string('more'))
  expect(await others()).toEqual([{ id: 'x', more: null }])
  await db.schema.dropTable('others')
  await expect(others()).rejects.toThrow('no such table')
})

test('rolls back only the failing nested part, at any depth', async () => {
  const failing = (work: Promise<unknown>) => expect(work).rejects.toThrow('undone')
  await write(db, async (outer) => {
    await outer('things').insert({ id: 'a', number: 1 })
    for (const turn of [2, 3]) {
      await failing(
        outer.transaction(async (part) => {
          await part('things').insert({ id: `undone ${turn}`, number: turn })
          await part.transaction((inner) => inner('things').insert({ id: 'inner', number: turn }))
          throw new Error('undone')
        }),
      )
      await outer.transaction(async (part) => {
        await part('things').insert({ id: `b${turn}`, number: turn })
        await failing(
          part.transaction(async (inner) => {
            await inner('things').insert({ id: 'inner', number: turn })
            throw new Error('undone')
          }),
        )
      })
    }
  })
  expect(await numbers()).toEqual([1, 2, 3])
})
