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
  // Two daemons where there can be two, each on its connection; one that asks twice on SQLite.
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

  test('a lease is held by one at a time, each name for itself', async () => {
    await held(one, 'leader')
    expect(await two.acquire('leader', LONG)).toBeNull()
    expect(await one.acquire('leader', LONG)).toBeNull()
    await held(two, 'another')
  })

  test('of many that ask at once one gets it', async () => {
    const asked = await Promise.all(Array.from({ length: 12 }, (_, at) => (at % 2 ? one : two).acquire('race', LONG)))
    expect(asked.filter((lease) => lease !== null)).toHaveLength(1)
  })

  test('a released lease goes to the next at once, under a greater token', async () => {
    const first = await held(one, 'released')
    await first.release()
    expect(first.lost.aborted).toBe(true)
    const second = await held(two, 'released')
    expect(second.token).toBeGreaterThan(first.token)
  })

  test('a lease that is not renewed is lost, and goes to another under a greater token', async () => {
    const first = await held(one, 'expired', SHORT)
    if (!first.lost.aborted) await once(first.lost, 'abort')
    const second = await eventually(() => two.acquire('expired', LONG))
    expect(second.token).toBeGreaterThan(first.token)
    expect(await first.renew()).toBe(false)
    expect(second.lost.aborted).toBe(false)
  })

  test('the late release of an earlier holder takes nothing from the present one', async () => {
    const first = await held(one, 'late', SHORT)
    const second = await eventually(() => two.acquire('late', LONG))
    await first.release()
    expect(await one.acquire('late', LONG)).toBeNull()
    expect(await second.renew()).toBe(true)
  })

  test('a renewed lease outlives its first time', async () => {
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

  test('a lease that was released cannot be renewed', async () => {
    const lease = await held(one, 'gone')
    await lease.release()
    expect(await lease.renew()).toBe(false)
    await held(two, 'gone')
  })

  test('tokens go on growing with a daemon that starts anew', async () => {
    const clock = new TestClock()
    const first = await held(open(database.db, clock), 'restart')
    await first.release()
    clock.tick(1)
    expect((await held(open(database.db, clock), 'restart')).token).toBeGreaterThan(first.token)
  })
})
