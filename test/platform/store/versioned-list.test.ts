import { beforeAll, beforeEach, expect, test } from 'vitest'
import { versionedList } from '../../../platform/store/versioned-list.ts'
import { onEachDatabase } from '../../support/databases.ts'

onEachDatabase((database) => {
  let read: string[] = []
  const open = () =>
    versionedList(database.db, {
      table: 'versions_rows',
      key: 'id',
      order: [{ column: 'id' }],
      toRecord: (row) => {
        read.push(row.id)
        return { id: row.id as string, body: row.body as string }
      },
    })
  const add = (...ids: string[]) =>
    database.db('versions_rows').insert(ids.map((id) => ({ id, created_at: '2030', body: `body of ${id}` })))
  const change = (id: string, columns: object) => database.db('versions_rows').where({ id }).update(columns)

  beforeAll(() =>
    database.db.schema.createTable('versions_rows', (table) => {
      table.string('id', 36).primary()
      table.integer('version').notNullable().defaultTo(1)
      table.string('created_at', 30).notNullable()
      table.text('body').notNullable()
    }),
  )
  beforeEach(async () => {
    await database.db('versions_rows').delete()
    read = []
  })

  test('reads unchanged rows once and keeps their identity', async () => {
    await add('a', 'b')
    const list = open()
    const first = await list()
    await add('c')
    const second = await list()
    expect(second.map((row) => row.id)).toEqual(['a', 'b', 'c'])
    expect([second[0] === first[0], second[1] === first[1]]).toEqual([true, true])
    expect(read.toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('rereads a row with a new version', async () => {
    await add('a', 'b')
    const list = open()
    await list()
    await change('b', { version: 2, body: 'new' })
    expect((await list()).map((row) => row.body)).toEqual(['body of a', 'new'])
    expect(read.filter((id) => id === 'a')).toHaveLength(1)
  })

  test('distinguishes a recreated row with the same version', async () => {
    await add('a')
    const list = open()
    await list()
    await database.db('versions_rows').delete()
    expect(await list()).toEqual([])
    await database.db('versions_rows').insert({ id: 'a', created_at: '2031', body: 'again' })
    expect(await list()).toEqual([{ id: 'a', body: 'again' }])
  })

  test('reads many new rows in one query', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `id-${String(index).padStart(3, '0')}`)
    for (let at = 0; at < ids.length; at += 50) await add(...ids.slice(at, at + 50))
    expect((await open()()).map((row) => row.id)).toEqual(ids)
  })
})
