import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, write, type Knex } from '../../../platform/database/database.ts'
import { claim, type Claim } from '../../../platform/store/claim.ts'
import { onEachDatabase } from '../../support/databases.ts'

const ROWS = 40
const claimOne = async (on: Knex, wanted: Omit<Claim, 'most'>) => (await claim(on, { ...wanted, most: 1 }))[0] ?? null
const root = resolve(import.meta.dirname, '../../..')
// Below node_modules, to resolve external packages.
const claimer = join(root, 'node_modules', '.cache', 'svc', `claimer-${process.pid}.mjs`)

beforeAll(() =>
  build({
    entryPoints: [join(import.meta.dirname, 'claimer.ts')],
    outfile: claimer,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  }),
)
afterAll(() => rm(claimer, { force: true }))

onEachDatabase((database) => {
  const others: Knex[] = []
  beforeAll(() =>
    database.db.schema.createTable('claims_jobs', (table) => {
      table.increments('seq')
      table.string('id', 36).notNullable().unique()
      table.integer('priority').notNullable()
      table.string('owner')
      table.integer('tries').notNullable().defaultTo(0)
    }),
  )
  beforeEach(async () => {
    await database.db('claims_jobs').delete()
    await database
      .db('claims_jobs')
      .insert(Array.from({ length: ROWS }, (_, index) => ({ id: `job-${index}`, priority: index % 4 })))
  })
  afterEach(() => Promise.all(others.splice(0).map((other) => other.destroy())))

  const take = (db: Knex, owner: string, where: Claim['where'] = { owner: null }) =>
    claimOne(db, {
      table: 'claims_jobs',
      where,
      order: ['priority', { column: 'seq', order: 'asc' }],
      set: { owner, tries: db.raw('tries + 1') },
    })

  test('claims the most urgent row, then the oldest', async () => {
    expect(await take(database.db, 'me')).toMatchObject({ id: 'job-3', priority: 3, owner: 'me', tries: 1 })
    expect(await take(database.db, 'me')).toMatchObject({ id: 'job-7' })
  })

  test('claims several rows in order', async () => {
    const some = (most: number) =>
      claim(database.db, {
        table: 'claims_jobs',
        where: { owner: null },
        order: ['priority', { column: 'seq', order: 'asc' }],
        set: { owner: 'me' },
        most,
      })
    const ids = (await some(12)).map(({ id }) => id)
    expect(ids.slice(0, 3)).toEqual(['job-3', 'job-7', 'job-11'])
    expect(ids.slice(9)).toEqual(['job-39', 'job-2', 'job-6'])
    expect(await some(ROWS)).toHaveLength(ROWS - 12)
    expect(await some(ROWS)).toEqual([])
  })

  test('gives each claimed row its own value, in order', async () => {
    await database.db('claims_jobs').where('priority', '<', 2).delete()
    const owners = Array.from({ length: ROWS }, (_, at) => `it's "${at}" ?`)
    const taken = await claim(database.db, {
      table: 'claims_jobs',
      where: { owner: null },
      order: ['priority', { column: 'seq', order: 'asc' }],
      set: { tries: 7 },
      each: { owner: owners },
      most: owners.length,
    })
    expect(taken).toHaveLength(ROWS / 2)
    expect(taken.map(({ id }) => id).slice(8, 12)).toEqual(['job-35', 'job-39', 'job-2', 'job-6'])
    expect(taken.map(({ owner }) => owner)).toEqual(owners.slice(0, ROWS / 2))
    const kept = await database.db('claims_jobs').where({ owner: owners[8] })
    expect(kept).toMatchObject([{ id: 'job-35', tries: 7 }])
    expect(Object.keys(taken[0]!).toSorted()).toEqual(Object.keys(kept[0]).toSorted())
  })

  test('claims nothing if no row is free', async () => {
    await database.db('claims_jobs').update({ owner: 'somebody' })
    expect(await take(database.db, 'me')).toBeNull()
  })

  test('selects free rows by a function', async () => {
    const row = await take(database.db, 'me', (query) => void query.whereNull('owner').where('priority', '<', 2))
    expect(row).toMatchObject({ id: 'job-1' })
  })

  test('rolls back a claim with its transaction', async () => {
    const undone = write(database.db, async (transaction) => {
      expect(await take(transaction, 'me')).toMatchObject({ id: 'job-3' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await take(database.db, 'me')).toMatchObject({ id: 'job-3' })
  })

  test('claims disjoint rows on separate connections', async () => {
    others.push(...Array.from({ length: 3 }, () => openDatabase(database.url)))
    const taken = await Promise.all(others.map((db, index) => takeAll(db, `claimer ${index}`)))
    expect(taken.flat().toSorted()).toEqual(await allIds())
    expect(await database.db('claims_jobs').max({ tries: 'tries' }).first()).toEqual({ tries: 1 })
  })

  test('claims one row each for concurrent callers of a process', async () => {
    const rows = await Promise.all(Array.from({ length: ROWS }, (_, index) => take(database.db, `claimer ${index}`)))
    expect(new Set(rows.map((row) => row?.id)).size).toBe(ROWS)
  })

  test('claims disjoint rows in separate processes', async () => {
    const run = async (owner: string): Promise<string[]> => {
      const { stdout } = await promisify(execFile)(process.execPath, [claimer, database.url, owner])
      return JSON.parse(stdout)
    }
    const taken = (await Promise.all(['first', 'second'].map(run))).flat()
    expect(taken.toSorted()).toEqual(await allIds())
  })

  async function allIds(): Promise<string[]> {
    const ids: string[] = await database.db('claims_jobs').pluck('id')
    return ids.toSorted()
  }

  async function takeAll(db: Knex, owner: string): Promise<string[]> {
    const ids: string[] = []
    for (let row = await take(db, owner); row; row = await take(db, owner)) ids.push(row.id)
    return ids
  }
})
