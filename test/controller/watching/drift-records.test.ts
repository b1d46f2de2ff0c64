import { afterEach, beforeEach, expect, test } from 'vitest'
import { controllerMigrations } from '../../../controller/migrations.ts'
import { DriftRecords } from '../../../controller/watching/drift-records.ts'
import type { Found } from '../../../controller/watching/drift-resolution.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import { isPostgres, migrate } from '../../../platform/database/database.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import { onEachDatabase } from '../../support/databases.ts'

const names = Array.from({ length: 24 }, (_each, at) => `t${at}`)

onEachDatabase((database) => {
  let records: DriftRecords
  let begun = 0
  const note = ({ sql }: { sql: string }) => void (/^begin/i.test(sql) && begun++)
  beforeEach(async () => {
    const { db } = database
    await migrate(db, controllerMigrations)
    await db('controller_inventory').delete()
    await db('controller_drift').delete()
    const entry = { kind: 'things', source: 's', file: 'f', line: 1, column: 1, sync: '{}', depends_on: '[]' }
    const rows = names.map((name) => ({ ...entry, name, desired: '{}', conditions: '[]' }))
    await db('controller_inventory').insert(rows)
    records = await DriftRecords.load({ db, vault: Vault.ephemeral(), clock: new TestClock() })
    begun = 0
    db.on('query', note)
  })
  afterEach(() => void database.db.removeListener('query', note))

  const found = (live: unknown, path = 'size'): Found => ({
    path,
    desired: 1,
    live,
    last_applied: 1,
    applied_digest: 'a',
    live_digest: String(live),
  })
  const record = (name: string, all: Found[]) =>
    records.record(
      { kind: 'things', name },
      { found: all, writer: async () => null, resolution: async () => 'resolved' },
    )
  const open = async () => (await records.list({ open: true }, null)).items

  test('records and closes drift of many resources in few transactions', async () => {
    const fresh = await Promise.all(names.map((name, at) => record(name, [found(at + 2)])))
    expect(fresh.map(([row]) => [row!.name, row!.live])).toEqual(names.map((name, at) => [name, at + 2]))
    expect(new Set((await open()).map(({ name }) => name)).size).toBe(names.length)
    if (!isPostgres(database.db)) expect(begun).toBeLessThan(4)
    await Promise.all(names.map((name) => record(name, [])))
    expect(await open()).toEqual([])
    expect(records.openCount()).toBe(0)
    const { items } = await records.list({ open: false }, null)
    expect(items.map(({ resolution }) => resolution)).toEqual(names.map(() => 'resolved'))
  })

  test('records no drift of resources that left the inventory', async () => {
    await database.db('controller_inventory').where({ name: 't5' }).delete()
    const fresh = await Promise.all(names.map((name) => record(name, [found(2)])))
    expect(fresh.map(({ length }) => length)).toEqual(names.map((name) => (name === 't5' ? 0 : 1)))
    expect((await open()).map(({ name }) => name).sort()).toEqual(names.filter((name) => name !== 't5').sort())
    expect(records.hasOpen('things', 't5')).toBe(false)
  })

  test('isolates a failed write from other records', async () => {
    const bad = [found(2, null as unknown as string)]
    const ends = await Promise.allSettled(names.map((name) => record(name, name === 't7' ? bad : [found(2)])))
    expect(ends.map(({ status }) => status)).toEqual(names.map((name) => (name === 't7' ? 'rejected' : 'fulfilled')))
    expect(await open()).toHaveLength(names.length - 1)
    expect(records.hasOpen('things', 't7')).toBe(false)
    await record('t7', [found(2)])
    expect(await open()).toHaveLength(names.length)
  })
})
