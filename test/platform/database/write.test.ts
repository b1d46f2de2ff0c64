// The mark of an open write transaction, by which calls to other services inside one are refused.
import { expect, test } from 'vitest'
import { inWriteTransaction, isPostgres, write } from '../../../platform/database/database.ts'
import { onEachDatabase } from '../../support/databases.ts'

/** A promise and what settles it. */
function gate(): { opened: Promise<void>; open(): void } {
  let open!: () => void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

onEachDatabase((database) => {
  test('a write is open in its work, in what that awaits and in what it calls', async () => {
    const seen: boolean[] = []
    const look = () => seen.push(inWriteTransaction())
    look()
    await write(database.db, async (transaction) => {
      look()
      await transaction.raw('select 1')
      look()
      await Promise.all([Promise.resolve().then(look), new Promise(setImmediate).then(look)])
    })
    look()
    expect(seen).toEqual([false, true, true, true, true, false])
  })

  test('a write that failed is open no more', async () => {
    await expect(write(database.db, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(inWriteTransaction()).toBe(false)
  })

  test('work that was started outside is outside while a write is open', async () => {
    const [inside, looked] = [gate(), gate()]
    const outside = inside.opened.then(() => {
      const open = inWriteTransaction()
      looked.open()
      return open
    })
    await write(database.db, async () => {
      inside.open()
      await looked.opened
      expect(inWriteTransaction()).toBe(true)
    })
    expect(await outside).toBe(false)
  })

  test('work that a write left running is outside once the write is over', async () => {
    const over = gate()
    let left!: Promise<boolean>
    await write(database.db, async () => {
      left = over.opened.then(inWriteTransaction)
    })
    over.open()
    expect(await left).toBe(false)
  })

  test('the kind of the database is known, of a transaction as well', async () => {
    const postgres = database.url.startsWith('postgres')
    expect(isPostgres(database.db)).toBe(postgres)
    await write(database.db, async (transaction) => expect(isPostgres(transaction)).toBe(postgres))
  })

  test('an inner write that is over leaves the outer one open', async () => {
    // On SQLite a nested write of the same database would wait for the only connection: a savepoint stands for it.
    await write(database.db, async (transaction) => {
      await write(transaction, async () => expect(inWriteTransaction()).toBe(true))
      expect(inWriteTransaction()).toBe(true)
    })
    expect(inWriteTransaction()).toBe(false)
  })

  test('what an inner write left running is inside while the outer one is open', async () => {
    const over = gate()
    await write(database.db, async (transaction) => {
      let left!: Promise<boolean>
      await write(transaction, async () => {
        left = over.opened.then(inWriteTransaction)
      })
      over.open()
      expect(await left).toBe(true)
    })
  })
})
