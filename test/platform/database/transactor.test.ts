// Transactions inherit from one another what knex would make anew for each.
import { beforeEach, expect, test } from 'vitest'
import type { Knex } from 'knex'
import { onEachDatabase } from '../../support/databases.ts'

onEachDatabase((database) => {
  let db: Knex
  beforeEach(async () => {
    db = database.db
    await db.schema.dropTableIfExists('kept')
    await db.schema.createTable('kept', (table) => void table.text('name'))
  })
  const names = (): Promise<string[]> => db('kept').orderBy('name').pluck('name')
  const add = (to: Knex, name: string) => to('kept').insert({ name })

  test('no transaction has methods of its own, and each asks on its own connection', async () => {
    const seen: Knex.Transaction[] = []
    await db.transaction(async (outer) => {
      await outer.transaction(async (inner) => {
        seen.push(outer, inner)
        await inner.insert({ name: 'by a method' }).into('kept')
        await inner.raw('insert into kept (name) values (?)', ['raw'])
        expect(await inner.from('kept').count({ count: '*' }).first()).toMatchObject({ count: expect.anything() })
        expect(await inner.schema.hasTable('kept')).toBe(true)
      })
    })
    await db.transaction(async (other) => void seen.push(other))
    const own = seen.flatMap((each) => Object.keys(each)).filter((name) => ['select', 'raw', 'on'].includes(name))
    expect(own).toEqual([])
    expect(new Set(seen.map((each) => each.client)).size).toBe(3)
    expect(await names()).toEqual(['by a method', 'raw'])
  })

  test('what throws undoes its own part alone, and the whole where nobody catches it', async () => {
    await db.transaction(async (outer) => {
      await add(outer, 'outer')
      const part = outer.transaction(async (inner) => {
        await add(inner, 'inner')
        throw new Error('not this')
      })
      await expect(part).rejects.toThrow('not this')
      expect(await outer('kept').pluck('name')).toEqual(['outer'])
    })
    const whole = db.transaction(async (outer) => {
      await add(outer, 'lost')
      throw new Error('nor that')
    })
    await expect(whole).rejects.toThrow('nor that')
    expect(await names()).toEqual(['outer'])
  })

  test('a statement after the end is refused', async () => {
    let left!: Knex.Transaction
    await db.transaction(async (transaction) => void (left = transaction))
    expect(left.isCompleted()).toBe(true)
    await expect(add(left, 'late')).rejects.toThrow('the transaction of this statement has ended: insert into')
    expect(await names()).toEqual([])
  })

  test('one that is asked for without work is ended by hand', async () => {
    const kept = await db.transaction()
    await add(kept, 'kept')
    await kept.commit()
    const undone = await db.transaction()
    await add(undone, 'undone')
    await undone.rollback()
    expect(await names()).toEqual(['kept'])
  })

  test('what a transaction asks is heard at the database', async () => {
    const heard: string[] = []
    const note = ({ sql }: { sql: string }) => heard.push(sql)
    db.on('query', note)
    await db.transaction((outer) => outer.transaction((inner) => add(inner, 'heard')))
    db.removeListener('query', note)
    expect(heard.filter((sql) => sql.startsWith('insert'))).toHaveLength(1)
  })

  test('what cannot begin has no work done', async () => {
    const { client } = db
    const begin = client.constructor.prototype._query
    client._query = function (connection: unknown, query: { sql: string }) {
      if (query.sql.startsWith('BEGIN')) return Promise.reject(new Error('no beginning'))
      return begin.call(this, connection, query)
    }
    let isDone = false
    const refused = db.transaction(async () => void (isDone = true))
    await expect(refused).rejects.toThrow('no beginning')
    delete client._query
    expect(isDone).toBe(false)
  })
})
