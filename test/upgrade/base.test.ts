// Squashed migrations: relabels a database of the last development build and rejects earlier ones.
import { afterEach, describe, expect, test } from 'vitest'
import { services } from '../../daemon/services.ts'
import { checkMigrations, relabel } from '../../platform/database/compatibility.ts'
import { migrate, openDatabase, type Knex } from '../../platform/database/database.ts'
import { hostMigrations } from '../../platform/service/migrations.ts'
import { databaseOn } from '../support/databases.ts'
import { restoreDatabase, versions } from './kept-databases.ts'
import { readSchema } from './schema.ts'

/** Of the services that development builds had. */
const all = [hostMigrations, ...services({ sources: [] }).map(({ definition }) => definition.migrations)].filter(
  ({ replaces }) => replaces !== undefined,
)
const development = versions.filter(({ name }) => name.startsWith('0.1.0'))

const namesOf = async (db: Knex) =>
  Object.fromEntries(
    await Promise.all(all.map(async ({ prefix }) => [prefix, await db(`${prefix}_migrations`).pluck('name')])),
  )

describe.each(development)('a database of the last development build ($name)', ({ name, engine }) => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  async function open(opening: ReturnType<typeof databaseOn>): Promise<Knex> {
    const { url, remove } = await opening
    const db = openDatabase(url)
    closing.push(remove, () => db.destroy())
    return db
  }

  test('migrates to the schema of a new database', async () => {
    const [old, fresh] = [await open(restoreDatabase(name)), await open(databaseOn(engine))]
    await relabel(old, await checkMigrations(old, all))
    for (const db of [old, fresh]) for (const migrations of all) await migrate(db, migrations)
    const [migrated, created] = [await readSchema(old), await readSchema(fresh)]
    expect(Object.keys(created)).toEqual(Object.keys(migrated))
    for (const [table, columnsAndIndexes] of Object.entries(migrated))
      expect(created[table], table).toEqual(columnsAndIndexes)
    expect(await namesOf(old)).toEqual(await namesOf(fresh))
  })

  test('relabels every service, or none if one fails', async () => {
    const db = await open(restoreDatabase(name))
    const before = await namesOf(db)
    const replaced = await checkMigrations(db, all)
    expect(replaced).toEqual(all)
    const broken = { ...replaced.at(-1)!, steps: [{ name: null as unknown as string, up: async () => undefined }] }
    await db.schema.alterTable(`${broken.prefix}_migrations`, (table) => table.dropNullable('name'))
    await expect(relabel(db, [...replaced.slice(0, -1), broken])).rejects.toThrow(/null/i)
    expect(await namesOf(db)).toEqual(before)
    await relabel(db, replaced)
    expect(await namesOf(db)).toEqual(Object.fromEntries(all.map(({ prefix }) => [prefix, ['0.1.0']])))
    expect(await checkMigrations(db, all)).toEqual([])
  })

  test('changes nothing if another daemon has relabelled it meanwhile', async () => {
    const db = await open(restoreDatabase(name))
    const replaced = await checkMigrations(db, all)
    await relabel(db, replaced)
    await db('notify_migrations').insert({ name: '0.2.0', batch: 2 })
    await relabel(db, replaced)
    expect((await namesOf(db)).notify).toEqual(['0.1.0', '0.2.0'])
  })

  test('rejects a missing migration, naming the migrations and a commit', async () => {
    const db = await open(restoreDatabase(name))
    await db('controller_migrations').whereIn('name', ['010-contests', '011-suspended-resources']).delete()
    await db('host_migrations').where({ name: '002-lease-holders' }).delete()
    const before = await namesOf(db)
    await expect(checkMigrations(db, all)).rejects.toMatchObject({
      status: 409,
      code: 'database-older',
      message: expect.stringMatching(
        /host 001-leases; controller 001-inventory-runs-drift, .*009-holds; .*start commit 3a7f089/,
      ),
    })
    expect(await namesOf(db)).toEqual(before)
  })

  test('rejects migrations in a different order', async () => {
    const db = await open(restoreDatabase(name))
    await db('notify_migrations').where({ name: '001-notifications' }).update({ id: 99 })
    await expect(checkMigrations(db, all)).rejects.toThrow(/notify 002-audit, 003-outbox, 001-notifications/)
  })
})
