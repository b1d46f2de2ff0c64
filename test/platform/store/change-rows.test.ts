import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { isPostgres, openDatabase, write, type Knex } from '../../../platform/database/database.ts'
import { ChangeRows, createChangeTables, recordChanges } from '../../../platform/store/change-rows.ts'
import { databaseOn, DATABASES, onEachDatabase, onPostgres } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { ALL, createThings } from './recorded-things.ts'

const EVERYTHING = { limit: 10_000 }

/** Makes `seq` the last number. */
const jumpTo = (db: Knex, seq: number) =>
  isPostgres(db)
    ? db.raw("select setval(pg_get_serial_sequence('gateway_changes', 'seq'), ?)", [seq])
    : db('gateway_changes').insert({ seq, topic: 'things', id: 'jump' })

onEachDatabase((database) => {
  let rows: ChangeRows
  const things = (on: Knex = database.db) => on('sample_things')
  const recorded = async (after = 0) =>
    ((await rows.after(after, EVERYTHING)) ?? []).map(({ topic, id }) => `${topic} ${id}`)
  const add = (...ids: string[]) =>
    write(database.db, (transaction) => things(transaction).insert(ids.map((id) => ({ id }))))

  beforeAll(() => createThings(database.db))
  beforeEach(async () => {
    await createChangeTables(database.db)
    rows = new ChangeRows(database.db)
    await recordChanges(database.db, [ALL])
  })
  afterEach(async () => {
    await database.db('sample_things').delete()
    for (const table of ['gateway_changes', 'gateway_change_log']) await database.db.schema.dropTable(table)
  })

  test('records each inserted, updated and deleted row, also by plain SQL', async () => {
    await things().insert([{ id: 'a' }, { id: 'b' }])
    await things().update({ name: 'x' })
    await things().where({ id: 'a' }).delete()
    await things().insert({ id: 'b', name: 'y' }).onConflict('id').merge()
    expect(await recorded()).toEqual(['a', 'b', 'a', 'b', 'a', 'b'].map((id) => `things ${id}`))
  })

  test('keeps no row of a write that failed among others', async () => {
    const failing = write(database.db, async (transaction) => {
      await things(transaction).insert({ id: 'lost' })
      throw new Error('on purpose')
    })
    const ends = await Promise.allSettled([add('a'), failing, add('b'), add('c')])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect((await recorded()).toSorted()).toEqual(['things a', 'things b', 'things c'])
  })

  test('never shows a row after one with a greater number', async () => {
    const [WRITERS, WRITES] = [8, 30]
    const writer = async (number: number) => {
      for (let at = 0; at < WRITES; at++)
        await write(database.db, async (transaction) => {
          await things(transaction).insert({ id: `${number}-${at}` })
          // Later commits than others, although written earlier.
          for (let turns = (number * at) % 7; turns > 0; turns--) await transaction.raw('select 1')
        })
    }
    let isOver = false
    const seen: number[] = []
    const reader = async () => {
      for (let last = 0; ; await turnOfTheLoop()) {
        const wasOver = isOver
        for (const { seq } of (await rows.after(last, EVERYTHING))!) seen.push((last = seq))
        if (wasOver) return
      }
    }
    const reading = reader()
    await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number))).finally(() => (isOver = true))
    await reading
    expect(seen).toEqual((await rows.after(0, EVERYTHING))!.map(({ seq }) => seq))
    expect(seen).toHaveLength(WRITERS * WRITES)
  })

  test('reads a stretch of one topic', async () => {
    await add('a', 'b')
    await recordChanges(database.db, [{ ...ALL, topic: 'other' }])
    await add('c', 'd')
    await recordChanges(database.db, [ALL])
    await add('e', 'f')
    const [, b, , , e] = (await rows.after(0, EVERYTHING))!
    expect(await rows.after(b!.seq, { limit: 10, topic: 'things', upTo: e!.seq })).toEqual([e])
    expect(await rows.after(0, { limit: 1, topic: 'other' })).toMatchObject([{ id: 'c' }])
  })

  const age = (ids: string[]) => database.db('gateway_changes').whereIn('id', ids).decrement('at', 601)

  test('deletes rows after ten minutes and refuses to read across them', async () => {
    await add('a', 'b', 'c')
    const [, b, c] = (await rows.after(0, EVERYTHING))!
    await age(['a', 'b'])
    expect(await rows.trim()).toBe(2)
    expect(await rows.after(b!.seq - 1, EVERYTHING)).toBeNull()
    expect(await rows.after(b!.seq, EVERYTHING)).toEqual([c])
    await age(['c'])
    await rows.trim()
    const last = { seq: c!.seq, at: c!.at - 601 }
    expect(await rows.state()).toMatchObject({ trimmed: b!.seq, last })
    expect([await rows.has(last), await rows.has(c!), await rows.has(b!)]).toEqual([true, false, false])
    await add('d')
    expect(await rows.after(c!.seq, EVERYTHING)).toMatchObject([{ id: 'd' }])
  })

  test('deletes more rows than one batch', async () => {
    for (let at = 0; at < 12; at++) await add(...Array.from({ length: 100 }, (_, index) => `${at}-${index}`))
    await database.db('gateway_changes').where('id', '<>', '11-99').decrement('at', 601)
    expect(await rows.trim()).toBe(1199)
    expect(await recorded((await rows.state()).trimmed)).toEqual(['things 11-99'])
  })

  test('stops to trim when it is aborted', async () => {
    await add('a', 'b')
    await age(['a'])
    expect(await rows.trim(AbortSignal.abort())).toBe(0)
  })

  test('keeps at most 100,000 rows', async () => {
    await add('a', 'b')
    const [, b] = (await rows.after(0, EVERYTHING))!
    const jump = b!.seq + 99_999
    await jumpTo(database.db, jump)
    await add('c')
    expect(await rows.state()).toMatchObject({ trimmed: b!.seq, last: { seq: jump + 1 } })
    expect(await rows.after(b!.seq - 1, EVERYTHING)).toBeNull()
    expect(await rows.trim()).toBe(2)
    expect((await recorded(b!.seq)).at(-1)).toBe('things c')
  })
})

test.each(DATABASES)('gives each %s database an epoch of its own', async (kind) => {
  const epochs: string[] = []
  for (let at = 0; at < 2; at++) {
    const { url, remove } = await databaseOn(kind)
    const db = openDatabase(url)
    await createChangeTables(db)
    epochs.push((await new ChangeRows(db).state()).epoch)
    await db.destroy()
    await remove()
  }
  expect(epochs[0]).toMatch(/^[0-9a-f]{12}$/)
  expect(epochs[1]).not.toBe(epochs[0])
})

onPostgres('with change rows', () => {
  let db: Knex
  let remove: () => Promise<void>

  beforeAll(async () => {
    const opened = await databaseOn('postgres')
    db = openDatabase(opened.url)
    await createThings(db)
    await createChangeTables(db)
    await recordChanges(db, [ALL])
    remove = async () => {
      await db.destroy()
      await opened.remove()
    }
    return () => remove()
  })
  beforeEach(() => db('sample_things').delete())

  test('numbers changes in the order of commits', async () => {
    const after = (await new ChangeRows(db).state()).last.seq
    const [early, late] = [await db.transaction(), await db.transaction()]
    await early('sample_things').insert({ id: 'written first' })
    await late('sample_things').insert({ id: 'committed first' })
    await late.commit()
    await early.commit()
    const rows = await new ChangeRows(db).after(after, EVERYTHING)
    expect(rows!.map(({ id }) => id)).toEqual(['committed first', 'written first'])
  })

  test('shows no later change before one whose commit takes long', async () => {
    const rows = new ChangeRows(db)
    const after = (await rows.state()).last.seq
    const holder = await db.transaction()
    await db.raw(
      `CREATE FUNCTION zz_wait() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$`,
    )
    // Its name is after those of change rows, and so is its turn in the commit.
    await db.raw(
      `CREATE CONSTRAINT TRIGGER zz_wait AFTER INSERT ON sample_things DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW WHEN (NEW.id = 'slow') EXECUTE FUNCTION zz_wait()`,
    )
    await holder.raw('SELECT pg_advisory_xact_lock(42)')
    // The server has the databases of other test files too.
    const ofThis = db('pg_database').whereRaw('datname = current_database()').select('oid')
    const waiting = async (many: number) => {
      const found = await db('pg_locks').where({ locktype: 'advisory', granted: false, database: ofThis })
      return found.length === many
    }
    const slow = Promise.resolve(db('sample_things').insert({ id: 'slow' }))
    await eventually(() => waiting(1))
    const quick = Promise.resolve(db('sample_things').insert({ id: 'quick' }))
    await eventually(() => waiting(2), 10_000)
    expect(await rows.after(after, EVERYTHING)).toEqual([])
    await holder.commit()
    await Promise.all([slow, quick])
    expect((await rows.after(after, EVERYTHING))!.map(({ id }) => id)).toEqual(['slow', 'quick'])
  })

  test('commits while another deletes old rows', async () => {
    await db('sample_things').insert({ id: 'old' })
    const last = (await new ChangeRows(db).state()).last.seq
    await jumpTo(db, last + 99_999)
    const [deleting, writing] = [await db.transaction(), await db.transaction()]
    try {
      await deleting('gateway_changes').where('seq', '<=', last).delete()
      await writing.raw("SET LOCAL lock_timeout = '2s'")
      await writing('sample_things').insert({ id: 'new' })
      await writing.commit()
    } finally {
      await deleting.rollback()
    }
    expect(await db('sample_things').pluck('id')).toContain('new')
  })

  test('takes the lock of the order after all others', async () => {
    await db('sample_things').insert([{ id: 'a' }, { id: 'b' }])
    const [one, other] = [await db.transaction(), await db.transaction()]
    await one('sample_things').where({ id: 'a' }).update({ name: 'one' })
    await other('sample_things').where({ id: 'b' }).update({ name: 'other' })
    const waiting = Promise.resolve(one('sample_things').where({ id: 'b' }).update({ name: 'one' }))
    await other.commit()
    await waiting
    await one.commit()
    expect(await db('sample_things').pluck('name')).toEqual(['one', 'one'])
  })
})
