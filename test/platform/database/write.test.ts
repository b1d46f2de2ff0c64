// Marks of open write transactions, which prevent calls to other services.
import { expect, test } from 'vitest'
import { inWriteTransaction, isPostgres, write } from '../../../platform/database/database.ts'
import { onEachDatabase } from '../../support/databases.ts'

/** A promise with its resolvers. */
function gate(): { opened: Promise<void>; open(): void } {
  let open!: () => void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

onEachDatabase((database) => {
  test('is open in its work and everything that it awaits', async () => {
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

  test('is closed after a failure', async () => {
    await expect(write(database.db, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(inWriteTransaction()).toBe(false)
  })

  test('does not include work that was started outside', async () => {
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

  test('does not include work still running after its end', async () => {
    const over = gate()
    let left!: Promise<boolean>
    await write(database.db, async () => {
      left = over.opened.then(inWriteTransaction)
    })
    over.open()
    expect(await left).toBe(false)
  })

  test('detects the database type, also of a transaction', async () => {
    const postgres = database.url.startsWith('postgres')
    expect(isPostgres(database.db)).toBe(postgres)
    await write(database.db, async (transaction) => expect(isPostgres(transaction)).toBe(postgres))
  })

  test('stays open after a nested write ends', async () => {
    // On SQLite a nested write of the same database would wait for the only connection, so use a savepoint.
    await write(database.db, async (transaction) => {
      await write(transaction, async () => expect(inWriteTransaction()).toBe(true))
      expect(inWriteTransaction()).toBe(true)
    })
    expect(inWriteTransaction()).toBe(false)
  })

  test('includes work of a nested write while the outer is open', async () => {
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
