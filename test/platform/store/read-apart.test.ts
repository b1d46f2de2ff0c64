import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, write, type Knex } from '../../../platform/database.ts'

let folder: string
let file: string
let db: Knex

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-read-apart-'))
  file = join(folder, 'some.db')
  db = openDatabase(`sqlite:${file}`)
  await db.schema.createTable('things', (table) => void table.string('name').primary())
})
afterEach(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})

const names = (of: Knex): Promise<string[]> => of('things').orderBy('name').pluck('name')

test('what is only read does not wait for a write that is under way, and sees what was committed before it', async () => {
  await write(db, (transaction) => transaction('things').insert({ name: 'kept' }))
  const read = await write(db, async (transaction) => {
    await transaction('things').insert({ name: 'on its way' })
    return { outside: await names(db), inside: await names(transaction), first: await db('things').first() }
  })
  expect(read).toEqual({ outside: ['kept'], inside: ['kept', 'on its way'], first: { name: 'kept' } })
})

test('what was answered as written is seen by the very next question', async () => {
  for (let round = 0; round < 50; round++) {
    const name = String(round).padStart(2, '0')
    await write(db, (transaction) => transaction('things').insert({ name }))
    expect((await names(db)).at(-1)).toBe(name)
  }
})

test('a table that changes while it is read apart is read as it has become', async () => {
  expect(await names(db)).toEqual([])
  await db.schema.alterTable('things', (table) => void table.integer('count').defaultTo(7))
  await db('things').insert({ name: 'later' })
  expect(await db('things').select()).toEqual([{ name: 'later', count: 7 }])
})

test('what is asked is told of, wherever it is read', async () => {
  const told: string[] = []
  db.on('query', ({ sql }: { sql: string }) => told.push(sql))
  await names(db)
  await write(db, (transaction) => names(transaction))
  expect(told.filter((sql) => /^select .name. from .things./.test(sql))).toHaveLength(2)
})

test('where the database is closed, nothing is left beside its file', async () => {
  await write(db, (transaction) => transaction('things').insert({ name: 'one' }))
  await names(db)
  expect(existsSync(`${file}-wal`)).toBe(true)
  await db.destroy()
  expect([existsSync(file), existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([true, false, false])
})

test('a database in memory is one, read or written', async () => {
  const memory = openDatabase('sqlite::memory:')
  await memory.schema.createTable('things', (table) => void table.string('name'))
  await memory('things').insert({ name: 'here' })
  expect(await names(memory)).toEqual(['here'])
  await memory.destroy()
})
