import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, write, type Knex } from '../../../platform/database/database.ts'

let folder: string
let db: Knex
let statements: string[] = []
const names = () => db('things').orderBy('name').pluck('name') as Promise<string[]>
const add = (name: string) => write(db, async (transaction) => void (await transaction('things').insert({ name })))
const commits = () => statements.filter((sql) => sql.startsWith('COMMIT')).length
/** Code or text of each rejection; null for a success. */
const refusals = (writes: Promise<unknown>[]) =>
  Promise.all(
    writes.map((each) =>
      each.then(
        () => null,
        (error: { code?: string; message: string }) => error.code ?? error.message,
      ),
    ),
  )

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-group-'))
  db = openDatabase(`sqlite:${join(folder, 'svc.db')}`, { busyTimeoutMs: 50 })
  await db.schema.createTable('things', (table) => {
    table.text('name').primary()
  })
  statements = []
  db.on('query', ({ sql }: { sql: string }) => statements.push(sql))
})
afterEach(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true, force: true })
})

test('commits concurrent writes together and in order, with separate results', async () => {
  const seen: number[] = []
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      write(db, async (transaction) => {
        seen.push(at)
        await transaction('things').insert({ name: `thing ${String(at).padStart(2, '0')}` })
        return at
      }),
    ),
  )
  expect(answers).toEqual(seen)
  expect(await names()).toHaveLength(20)
  expect(commits()).toBe(1)
})

test('rolls back only the failing write', async () => {
  const own = write(db, async (transaction) => {
    await transaction('things').insert({ name: 'undone' })
    throw new Error('not this one')
  })
  const refused = await refusals([add('first'), own, add('first'), add('last')])
  expect(refused).toEqual([null, 'not this one', 'SQLITE_CONSTRAINT', null])
  expect(await names()).toEqual(['first', 'last'])
  expect(commits()).toBe(1)
})

test('isolates later writes from work that a failed one left running', async () => {
  let late!: Promise<unknown>
  const failing = write(db, async (transaction) => {
    late = new Promise(setImmediate)
      .then(() => transaction('things').insert({ name: 'late' }))
      .catch((error: Error) => error)
    throw new Error('gone already')
  })
  const refused = await refusals([add('first'), failing, add('last')])
  expect(refused).toEqual([null, 'gone already', null])
  expect(await late).toBeInstanceOf(Error)
  expect(await names()).toEqual(['first', 'last'])
})

test('acknowledges no write on a full disk, and recovers', async () => {
  const [{ page_count: pages }] = await db.raw('PRAGMA page_count')
  await db.raw(`PRAGMA max_page_count = ${pages + 2}`)
  const refused = await refusals([add('small'), add('large'.repeat(100_000)), add('after')])
  expect(refused).toEqual(['storage-unavailable', 'storage-unavailable', 'storage-unavailable'])
  expect(await names()).toEqual([])
  await db.raw('PRAGMA max_page_count = 100000')
  await Promise.all([add('one'), add('two')])
  expect(await names()).toEqual(['one', 'two'])
})

test('rejects pending writes while another process locks the database', async () => {
  const other = openDatabase(`sqlite:${join(folder, 'svc.db')}`)
  await other.raw('BEGIN EXCLUSIVE')
  expect(new Set(await refusals([add('one'), add('two')]))).toEqual(new Set(['storage-unavailable']))
  await other.raw('ROLLBACK')
  await other.destroy()
  await Promise.all([add('one'), add('two')])
  expect(await names()).toEqual(['one', 'two'])
})

test('runs each write in the async context of its caller', async () => {
  const asking = new AsyncLocalStorage<string>()
  const ask = (who: string) => asking.run(who, () => write(db, async () => asking.getStore()))
  expect(await Promise.all(['alice', 'bob', 'carol'].map(ask))).toEqual(['alice', 'bob', 'carol'])
})

test('commits at most 32 writes together', async () => {
  await Promise.all(Array.from({ length: 70 }, (_, at) => add(`thing ${at}`)))
  expect(commits()).toBe(3)
})
