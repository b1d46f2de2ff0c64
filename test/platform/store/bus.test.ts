import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../platform/core/clock.ts'
import { isPostgres, openDatabase, write, type Knex } from '../../../platform/database/database.ts'
import { noLog } from '../../../platform/core/log/log.ts'
import { openBus, type Bus } from '../../../platform/store/bus.ts'
import { eventually } from '../../support/eventually.ts'
import { onEachDatabase, onPostgres, postgresDatabase } from '../../support/databases.ts'

onEachDatabase((database) => {
  const open: { bus: Bus; db?: Knex }[] = []
  /** Two daemons on PostgreSQL, each with its connections; twice the same one on SQLite. */
  const daemons = async (): Promise<[Bus, Bus]> => {
    const world = { url: database.url, clock: systemClock, log: noLog }
    const one = await openBus({ ...world, db: database.db })
    open.push({ bus: one })
    if (!isPostgres(database.db)) return [one, one]
    const db = openDatabase(database.url)
    const two = await openBus({ ...world, db })
    open.push({ bus: two, db })
    return [one, two]
  }
  const listen = (bus: Bus, topic: string) => {
    const heard: string[] = []
    return { heard, leave: bus.subscribe(topic, { heard: (id) => heard.push(id) }) }
  }
  /** A marker: everything published before it has then arrived. */
  const settle = async (...buses: Bus[]) => {
    for (const bus of buses) {
      const { heard, leave } = listen(bus, 'settle')
      await bus.publish('settle', 'now')
      await eventually(() => heard.length > 0)
      leave()
    }
  }

  beforeAll(() => database.db.schema.createTable('bus_rows', (table) => table.string('id').primary()))
  afterEach(async () => {
    for (const { bus, db } of open.splice(0)) {
      await bus.close()
      await db?.destroy()
    }
  })

  test('delivers messages to all subscribers of a topic, in order', async () => {
    const [one, two] = await daemons()
    const [here, there, elsewhere] = [listen(one, 'agents'), listen(two, 'agents'), listen(two, 'rooms')]
    for (const id of ['a', 'b', 'c']) await one.publish('agents', id)
    await settle(one, two)
    await eventually(() => there.heard.length === 3)
    expect([here.heard, there.heard, elsewhere.heard]).toEqual([['a', 'b', 'c'], ['a', 'b', 'c'], []])
  })

  test('stops delivering after unsubscribing', async () => {
    const [one] = await daemons()
    const [gone, stays] = [listen(one, 'agents'), listen(one, 'agents')]
    gone.leave()
    gone.leave()
    await one.publish('agents', 'a')
    await settle(one)
    expect([gone.heard, stays.heard]).toEqual([[], ['a']])
  })

  test('delivers after the commit, and never after a rollback', async () => {
    const [one] = await daemons()
    const { heard } = listen(one, 'agents')
    const undone = write(database.db, async (transaction) => {
      await one.publish('agents', 'undone', transaction)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await write(database.db, async (transaction) => {
      await one.publish('agents', 'done', transaction)
      await transaction('bus_rows').insert({ id: 'done' })
      expect(heard).toEqual([])
    })
    await eventually(() => heard.length > 0)
    await settle(one)
    expect(heard).toEqual(['done'])
  })

  test.each([
    { what: 'succeeds', failure: null, told: ['a'] },
    { what: 'fails', failure: Object.assign(new Error('full'), { code: 'SQLITE_FULL' }), told: [] },
  ])('waits for the group commit, which $what', async ({ failure, told }) => {
    if (isPostgres(database.db)) return // PostgreSQL has no group commit
    const [one] = await daemons()
    const { heard } = listen(one, 'agents')
    const during: string[][] = []
    const together = await Promise.allSettled([
      write(database.db, (transaction) => one.publish('agents', 'a', transaction)),
      write(database.db, async () => {
        await sleep(20)
        during.push([...heard])
        if (failure) throw failure
      }),
    ])
    await settle(one)
    const outcome = failure ? 'rejected' : 'fulfilled'
    expect([together.map(({ status }) => status), during, heard]).toEqual([[outcome, outcome], [[]], told])
  })

  test('isolates a throwing listener', async () => {
    const [one] = await daemons()
    one.subscribe('agents', {
      heard: () => {
        throw new Error('deaf')
      },
    })
    const { heard } = listen(one, 'agents')
    await one.publish('agents', 'a')
    await eventually(() => heard.length === 1)
  })

  test('accepts any topic and id up to the size limit', async () => {
    const [one] = await daemons()
    const topic = `it's "quoted" \\ and \0 ünïcode`
    const { heard } = listen(one, topic)
    await one.publish(topic, topic)
    await eventually(() => heard.length === 1)
    expect(heard).toEqual([topic])
    await expect(one.publish('agents', 'x'.repeat(7001))).rejects.toThrow(/expected at most 7000: publish an id/)
  })
})

onPostgres('that drops connections', () => {
  const LISTENING = "from pg_stat_activity where query like 'LISTEN%' and datname = current_database()"
  let db: Knex
  let bus: Bus
  let remove: () => Promise<void>
  beforeAll(async () => {
    const database = await postgresDatabase()
    remove = database.remove
    db = openDatabase(database.url)
    bus = await openBus({ db, url: database.url, clock: systemClock, log: noLog })
  })
  afterAll(async () => {
    await bus.close()
    await db.destroy()
    await remove()
  })

  test('reconnects, and reports that ids may be missed', async () => {
    const heard: string[] = []
    let missed = 0
    bus.subscribe('agents', { heard: (id) => heard.push(id), missed: () => missed++ })
    for (const round of [1, 2]) {
      expect((await db.raw(`select pg_terminate_backend(pid) ${LISTENING}`)).rows).toHaveLength(1)
      await eventually(() => missed === round)
    }
    await bus.publish('agents', 'after')
    await eventually(() => heard.includes('after'))
    expect(missed).toBe(2)
  })

  test('leaves no connection after closing, once or twice', async () => {
    await bus.close()
    await bus.close()
    await eventually(async () => (await db.raw(`select 1 ${LISTENING}`)).rows.length === 0)
  })
})
