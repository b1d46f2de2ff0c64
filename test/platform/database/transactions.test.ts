import { beforeEach, expect, test } from 'vitest'
import type { Knex } from 'knex'
import { openDatabase, write } from '../../../platform/database/database.ts'
import { fenceTransactions } from '../../../platform/database/fence.ts'
import { onEachDatabase, sqliteDatabase } from '../../support/databases.ts'

onEachDatabase((database) => {
  let db: Knex
  beforeEach(async () => {
    db = database.db
    await db.schema.dropTableIfExists('kept')
    await db.schema.createTable('kept', (table) => void table.text('name'))
  })
  const names = (): Promise<string[]> => db('kept').orderBy('name').pluck('name')
  const add = (to: Knex, name: string) => to('kept').insert({ name })

  test('gives each transaction and each part its own client', async () => {
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
    expect(new Set(seen.map((each) => each.client)).size).toBe(3)
    expect(await names()).toEqual(['by a method', 'raw'])
  })

  test('rolls back a throwing part, or everything if uncaught', async () => {
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

  test('rejects a statement after the end', async () => {
    let left!: Knex.Transaction
    await db.transaction(async (transaction) => void (left = transaction))
    expect(left.isCompleted()).toBe(true)
    await expect(add(left, 'late')).rejects.toThrow('Transaction query already complete')
    expect(await names()).toEqual([])
  })

  test('supports transactions without a callback', async () => {
    const kept = await db.transaction()
    await add(kept, 'kept')
    await kept.commit()
    const undone = await db.transaction()
    await add(undone, 'undone')
    await undone.rollback()
    expect(await names()).toEqual(['kept'])
  })

  test('emits query events of a transaction on the database', async () => {
    const heard: string[] = []
    const note = ({ sql }: { sql: string }) => heard.push(sql)
    db.on('query', note)
    await db.transaction((outer) => outer.transaction((inner) => add(inner, 'heard')))
    db.removeListener('query', note)
    expect(heard.filter((sql) => sql.startsWith('insert'))).toHaveLength(1)
  })

  test('does not run the work of a transaction that cannot begin', async () => {
    await db.schema.dropTableIfExists('leases')
    await db.schema.createTable('leases', (table) => void table.text('name').unique())
    await db.schema.alterTable('leases', (table) => void table.integer('token'))
    const refusals: string[] = []
    fenceTransactions(db, {
      table: 'leases',
      held: [{ name: 'daemon', token: 1 }],
      onLost: () => refusals.push('lost'),
    })
    let isDone = false
    const work = async () => void (isDone = true)
    await expect(db.transaction(work)).rejects.toMatchObject({ code: 'lease-lost' })
    await expect(write(db, work)).rejects.toMatchObject({ code: 'lease-lost' })
    fenceTransactions(db, null)
    expect(isDone).toBe(false)
    expect(refusals).toEqual(['lost', 'lost'])
    await add(db, 'after')
    expect(await names()).toEqual(['after'])
  })
})

test('does not run the work while another process locks the SQLite file', async () => {
  const file = await sqliteDatabase()
  const [holder, other] = [openDatabase(file.url), openDatabase(file.url, { busyTimeoutMs: 50 })]
  await holder.raw('BEGIN IMMEDIATE')
  let isDone = false
  await expect(other.transaction(async () => void (isDone = true))).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
  await holder.raw('ROLLBACK')
  expect(isDone).toBe(false)
  await other.transaction(async () => void (isDone = true))
  expect(isDone).toBe(true)
  await Promise.all([holder.destroy(), other.destroy()])
  await file.remove()
})
