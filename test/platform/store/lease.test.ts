import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock, TestClock } from '../../../platform/core/clock.ts'
import { isPostgres, openDatabase, type Knex } from '../../../platform/database/database.ts'
import { createLeaseTable, openLeases, type Lease, type Leases } from '../../../platform/store/lease.ts'
import { eventually } from '../../support/eventually.ts'
import { onEachDatabase } from '../../support/databases.ts'

const LONG = { ttlMs: 60_000 }
const SHORT = { ttlMs: 50 }

onEachDatabase((database) => {
  // Two daemons on PostgreSQL, each with its connection; the same one twice on SQLite.
  let one: Leases
  let two: Leases
  let other: Knex
  const open = (db: Knex, clock = systemClock) => openLeases({ db, clock, prefix: 'sample' })
  beforeAll(async () => {
    await createLeaseTable(database.db, 'sample')
    other = openDatabase(database.url)
    one = open(database.db)
    two = isPostgres(database.db) ? open(other) : one
  })
  afterAll(() => other.destroy())
  const held = async (leases: Leases, name: string, options = LONG): Promise<Lease> => {
    const lease = await leases.acquire(name, options)
    if (!lease) throw new Error(`${name} is held by another`)
    return lease
  }

  test('grants each name to one holder at a time', async () => {
    await held(one, 'leader')
    expect(await two.acquire('leader', LONG)).toBeNull()
    expect(await one.acquire('leader', LONG)).toBeNull()
    await held(two, 'another')
  })

  test('grants a contested lease once', async () => {
    const asked = await Promise.all(Array.from({ length: 12 }, (_, at) => (at % 2 ? one : two).acquire('race', LONG)))
    expect(asked.filter((lease) => lease !== null)).toHaveLength(1)
  })

  test('grants a released lease immediately, with a greater token', async () => {
    const first = await held(one, 'released')
    await first.release()
    expect(first.lost.aborted).toBe(true)
    const second = await held(two, 'released')
    expect(second.token).toBeGreaterThan(first.token)
  })

  test('expires a lease that is not renewed', async () => {
    const first = await held(one, 'expired', SHORT)
    if (!first.lost.aborted) await once(first.lost, 'abort')
    const second = await eventually(() => two.acquire('expired', LONG))
    expect(second.token).toBeGreaterThan(first.token)
    expect(await first.renew()).toBe(false)
    expect(second.lost.aborted).toBe(false)
  })

  test('ignores the late release of a previous holder', async () => {
    const first = await held(one, 'late', SHORT)
    const second = await eventually(() => two.acquire('late', LONG))
    await first.release()
    expect(await one.acquire('late', LONG)).toBeNull()
    expect(await second.renew()).toBe(true)
  })

  test('extends a renewed lease', async () => {
    const clock = new TestClock()
    const leases = open(database.db, clock)
    const lease = await held(leases, 'renewed', LONG)
    clock.tick(40_000)
    expect(await lease.renew()).toBe(true)
    clock.tick(40_000)
    expect(lease.lost.aborted).toBe(false)
    expect(await leases.acquire('renewed', LONG)).toBeNull()
    clock.tick(20_000)
    expect(lease.lost.aborted).toBe(true)
  })

  test('does not renew a released lease', async () => {
    const lease = await held(one, 'gone')
    await lease.release()
    expect(await lease.renew()).toBe(false)
    await held(two, 'gone')
  })

  test('keeps tokens growing across restarts', async () => {
    const clock = new TestClock()
    const first = await held(open(database.db, clock), 'restart')
    await first.release()
    clock.tick(1)
    expect((await held(open(database.db, clock), 'restart')).token).toBeGreaterThan(first.token)
  })
})
