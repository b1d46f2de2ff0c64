import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { migrate, openDatabase, type Knex } from '../../../platform/database/database.ts'
import { ChangeRows, createChangeTables, recordChanges } from '../../../platform/store/change-rows.ts'
import { databaseOn, DATABASES, onEachDatabase } from '../../support/databases.ts'
import { ALL, createThings } from './recorded-things.ts'

const EVERYTHING = { limit: 10_000 }

onEachDatabase((database) => {
  let rows: ChangeRows
  const things = () => database.db('sample_things')
  const recorded = async () => ((await rows.after(0, EVERYTHING)) ?? []).map(({ topic, id }) => `${topic} ${id}`)

  beforeAll(() => createThings(database.db))
  beforeEach(async () => {
    await createChangeTables(database.db)
    rows = new ChangeRows(database.db)
    await recordChanges(database.db, [ALL])
  })
  afterEach(async () => {
    await things().delete()
    for (const table of ['gateway_changes', 'gateway_change_log']) await database.db.schema.dropTable(table)
  })

  test('names the topic and the id by columns', async () => {
    const room = { table: 'sample_things', topic: 'room', of: 'room', kind: 'things', id: ['id', 'part'] }
    await recordChanges(database.db, [room])
    await things().insert({ id: 'a', room: "o'hare" })
    expect(await recorded()).toEqual(["room/o'hare things/a/1"])
  })

  test('ignores other columns and events', async () => {
    await recordChanges(database.db, [{ ...ALL, columns: ['name'], events: ['UPDATE'] }])
    await things().insert([{ id: 'a' }, { id: 'b' }])
    await things().where({ id: 'a' }).update({ seen: 'x' })
    await things().where({ id: 'b' }).update({ name: 'x', seen: 'x' })
    await things().where({ id: 'b' }).delete()
    expect(await recorded()).toEqual(['things b'])
  })

  test('records only rows with the given values and an id', async () => {
    const managed = { table: 'sample_managed', topic: 'things', id: ['live_id'], where: { kind: 'agents' } }
    await recordChanges(database.db, [{ ...managed, columns: ['line'] }])
    await database.db('sample_managed').insert([
      { kind: 'agents', live_id: 'one' },
      { kind: 'agents', live_id: null },
      { kind: 'rooms', live_id: 'three' },
    ])
    await database.db('sample_managed').update({ seen: 'x' })
    await database.db('sample_managed').update({ line: 2 })
    await database.db('sample_managed').delete()
    expect(await recorded()).toEqual(['things one', 'things one', 'things one'])
  })

  test('replaces the triggers of a table only', async () => {
    await recordChanges(database.db, [{ ...ALL, table: 'sample_others' }])
    await recordChanges(database.db, [{ ...ALL, topic: 'renamed' }])
    await things().insert({ id: 'a' })
    await database.db('sample_others').insert({ id: 'b' })
    await database.db('sample_others').delete()
    expect(await recorded()).toEqual(['renamed a', 'things b', 'things b'])
  })
})

test.each(DATABASES)('migrates recorded columns on %s, and records again after the start', async (kind) => {
  const { url, remove } = await databaseOn(kind)
  const db = openDatabase(url)
  const first = { name: 'things', up: createThings }
  await migrate(db, { prefix: 'sample', steps: [first] })
  await createChangeTables(db)
  await recordChanges(db, [{ ...ALL, columns: ['name', 'seen'] }])
  const second = {
    name: 'columns',
    up: async (on: Knex) => {
      await on('sample_things').update({ seen: 'x' })
      await on.schema.alterTable('sample_things', (columns) => void columns.dropColumn('seen'))
      await on.schema.alterTable('sample_things', (columns) => void columns.string('name', 99).notNullable().alter())
    },
  }
  await db('sample_things').insert({ id: 'a' })
  await migrate(db, { prefix: 'other', steps: [{ name: 'none', up: async () => undefined }] })
  await db('sample_things').insert({ id: 'b' })
  await migrate(db, { prefix: 'sample', steps: [first, second] })
  await recordChanges(db, [{ ...ALL, columns: ['name'] }])
  await db('sample_things').update({ name: 'y' })
  const found = await new ChangeRows(db).after(0, EVERYTHING)
  expect(found!.map(({ id }) => id)).toEqual(['a', 'b', 'a', 'b'])
  await db.destroy()
  await remove()
})
