import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { services } from '../../daemon/services.ts'
import { contentDigest } from '../../controller/reading/revision.ts'
import { DaemonStand } from '../support/daemon.ts'
import { postgresDatabase } from '../support/databases.ts'

const folder = dirname(fileURLToPath(import.meta.url))
const prefixes = services({ sources: [] }).map(({ definition }) => definition.migrations.prefix)

describe.each([...prefixes, 'host'])('an unknown migration of %s', (prefix) => {
  let stand: DaemonStand
  const file = () => join(stand.dataDir, 'svc.db')

  beforeAll(async () => {
    stand = await DaemonStand.create()
    mkdirSync(stand.dataDir, { recursive: true })
    for (const name of ['svc.db', 'key']) cpSync(join(folder, '0.1.0', name), join(stand.dataDir, name))
    const db = openDatabase(`sqlite:${file()}`)
    const of = `${prefix}_migrations`
    // A service may be newer than the kept database.
    if (!(await db.schema.hasTable(of)))
      await db.schema.createTable(of, (table) => {
        table.increments('id')
        table.string('name')
        table.integer('batch')
        table.bigInteger('migration_time')
      })
    await db(of).insert({ name: '999-of-tomorrow', batch: 99, migration_time: 1 })
    await db.destroy()
  })
  afterAll(() => stand.close())

  test('refuses to start, names it and leaves the database unchanged', async () => {
    const before = contentDigest(readFileSync(file()))
    const { code, stderr } = await stand.svc(['serve', '--manifests', stand.manifests])
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${prefix} 999-of-tomorrow`)])
    expect(stderr).toMatch(/newer than this program.*start the version that wrote it/s)
    expect(contentDigest(readFileSync(file()))).toBe(before)
  })
})

test('rejects a database of an earlier development build without changing it', async () => {
  const stand = await DaemonStand.create()
  try {
    mkdirSync(stand.dataDir, { recursive: true })
    const file = join(stand.dataDir, 'svc.db')
    cpSync(join(folder, '0.1.0', 'svc.db'), file)
    const db = openDatabase(`sqlite:${file}`)
    await db('notify_migrations').where({ name: '003-outbox' }).delete()
    await db.destroy()
    const before = contentDigest(readFileSync(file))
    const { code, stderr } = await stand.svc(['serve', '--manifests', stand.manifests])
    expect([code, stderr]).toEqual([1, expect.stringContaining('notify 001-notifications, 002-audit;')])
    expect(stderr).toContain('start commit 3a7f089')
    expect(contentDigest(readFileSync(file))).toBe(before)
  } finally {
    await stand.close()
  }
})

test('rejects a newer database in an offline plan', async () => {
  const stand = await DaemonStand.create()
  try {
    mkdirSync(stand.dataDir, { recursive: true })
    for (const name of ['svc.db', 'key']) cpSync(join(folder, '0.1.0', name), join(stand.dataDir, name))
    const db = openDatabase(`sqlite:${join(stand.dataDir, 'svc.db')}`)
    await db('controller_migrations').insert({ name: '999-of-tomorrow', batch: 99, migration_time: 1 })
    await db.destroy()
    const { code, stderr } = await stand.svc(['plan', join(folder, 'manifests'), '--offline'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('controller 999-of-tomorrow')])
  } finally {
    await stand.close()
  }
})

test('rejects a newer database on PostgreSQL', async () => {
  const [database, stand] = [await postgresDatabase(), await DaemonStand.create()]
  const db = openDatabase(database.url)
  try {
    await db.schema.createTable('controller_migrations', (table) => {
      table.increments('id')
      table.string('name')
    })
    await db('controller_migrations').insert({ name: '999-of-tomorrow' })
    const env = { SVC_DATABASE_URL: database.url }
    const { code, stderr } = await stand.svc(['serve', '--manifests', stand.manifests], { env })
    expect([code, stderr]).toEqual([1, expect.stringContaining('controller 999-of-tomorrow')])
    const tables = await db('information_schema.tables').where({ table_schema: 'public' }).pluck('table_name')
    expect(tables).toEqual(['controller_migrations'])
  } finally {
    await db.destroy()
    await stand.close()
    await database.remove()
  }
})
