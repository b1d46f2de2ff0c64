import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Knex } from '../../../platform/database/database.ts'
import { inParts, page, pageIndex, type Order } from '../../../platform/store/page.ts'
import { onEachDatabase } from '../../support/databases.ts'

onEachDatabase((database) => {
  beforeAll(async () => {
    await database.db.schema.createTable('pages_rows', (table) => {
      table.increments('seq')
      table.string('id', 36).notNullable().unique()
      table.string('owner', 36).notNullable()
      table.string('at', 30).notNullable()
      table.text('body').notNullable()
    })
    await database.db('pages_rows').insert(
      Array.from({ length: 60 }, (_, index) => ({
        id: `id-${(index * 37) % 60}`,
        owner: index % 3 === 0 ? 'one' : 'two',
        // Five rows share each timestamp, so that it does not order them.
        at: `2030-01-01T00:00:${String(Math.floor(index / 5)).padStart(2, '0')}Z`,
        body: `row ${index}`,
      })),
    )
  })

  const orders: [string, Order[]][] = [
    ['by one column', ['seq']],
    ['by two columns', ['at', 'id']],
    ['oldest first', [{ column: 'seq', order: 'asc' }]],
    ['in two directions', ['at', { column: 'id', order: 'asc' }]],
  ]
  const queries: [string, (db: Knex) => Knex.QueryBuilder, number][] = [
    ['all rows', (db) => db('pages_rows'), 60],
    ['the rows of one owner', (db) => db('pages_rows').where({ owner: 'two' }), 40],
    ['no rows', (db) => db('pages_rows').where({ owner: 'nobody' }), 0],
  ]
  test.each(
    orders.flatMap(([how, order]) => queries.map(([what, query, count]) => ({ how, order, what, query, count }))),
  )('pages $what $how completely with any page size', async ({ order, query, count }) => {
    const whole = await query(database.db).orderBy(
      order.map((each) => (typeof each === 'string' ? { column: each, order: 'desc' } : each)),
    )
    expect(whole).toHaveLength(count)
    for (const limit of [3, 7, 50, 200]) {
      const pieces: unknown[] = []
      for (let offset = 0; offset < count; offset += limit) {
        const { items, total } = await page(query(database.db), { order, limit, offset })
        expect(total).toBe(count)
        expect(items.length).toBe(Math.min(limit, count - offset))
        pieces.push(...items)
      }
      expect(pieces).toEqual(whole)
    }
    const parts: object[][] = []
    for await (const rows of inParts(query(database.db), order, 7)) parts.push(rows)
    expect(parts.flat()).toEqual(whole)
    expect(parts.slice(0, -1).every((rows) => rows.length === 7)).toBe(true)
  })

  test('omits a row deleted while reading in batches', async () => {
    const seqs: number[] = []
    await database.db('pages_rows').insert({ id: 'last', owner: 'three', at: '2030-01-02T00:00:00Z', body: 'last' })
    const order: Order[] = [{ column: 'seq', order: 'asc' }]
    for await (const rows of inParts(database.db('pages_rows').select('seq'), order, 60)) {
      seqs.push(...(rows as { seq: number }[]).map(({ seq }) => seq))
      await database.db('pages_rows').where({ id: 'last' }).delete()
    }
    expect(seqs).toHaveLength(60)
  })

  test('returns an empty page with the total past the end', async () => {
    const order = ['seq']
    expect(await page(database.db('pages_rows'), { order, limit: 5, offset: 60 })).toEqual({ items: [], total: 60 })
    expect(await page(database.db('pages_rows'), { order, limit: 5, offset: 2 ** 40 })).toEqual({
      items: [],
      total: 60,
    })
  })

  test('reads only the selected columns', async () => {
    const query = database.db('pages_rows').where({ owner: 'one' }).select('body')
    const { items, total } = await page(query, { order: ['seq'], limit: 1, offset: 0 })
    expect([items, total]).toEqual([[{ body: 'row 57' }], 20])
  })

  test('does not modify the query', async () => {
    const query = database.db('pages_rows').where({ owner: 'one' })
    await page(query, { order: ['seq'], limit: 1, offset: 0 })
    expect(await query).toHaveLength(20)
  })
})

onEachDatabase((database) => {
  const seen: string[] = []
  beforeAll(async () => {
    await database.db.schema.createTable('pages_rows', (table) => {
      table.increments('seq')
      table.string('owner', 36).notNullable()
    })
    await pageIndex(database.db, 'pages_rows', ['owner', 'seq'])
    database.db.on('query', ({ sql }: { sql: string }) => seen.push(sql))
    await database.db('pages_rows').insert(Array.from({ length: 100 }, () => ({ owner: 'one' })))
  })
  beforeEach(() => void (seen.length = 0))

  test('creates the page index once', async () => {
    await pageIndex(database.db, 'pages_rows', ['owner', 'seq'])
  })

  test('searches the last page from the end', async () => {
    const bindings: unknown[][] = []
    database.db.on('query', (query: { bindings: unknown[] }) => bindings.push(query.bindings))
    await page(database.db('pages_rows').where({ owner: 'one' }), { order: ['seq'], limit: 10, offset: 90 })
    expect(seen[1]).toMatch(/order by .seq. asc limit [?$]\d*\)/)
    expect(bindings[1]).toEqual(['one', 10])
  })
})
