// A write under a lease, next to the same write of a database that has none.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, write, type Knex } from '../../platform/database/database.ts'
import { fenceTransactions } from '../../platform/database/fence.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { compare, conclude, median, timed } from './report.ts'

const WRITES = 300
const ROUNDS = 15
const FENCE = { table: 'leases', held: [{ name: 'daemon', token: 7 }], onLost: () => undefined }

async function someWrites(db: Knex): Promise<number> {
  const took = await timed(async () => {
    for (let count = 0; count < WRITES; count++)
      await write(db, (transaction) => transaction('things').insert({ name: `thing ${count}` }))
  })
  return (took * 1000) / WRITES
}

async function measure(what: string, url: string): Promise<void> {
  const db = openDatabase(url)
  try {
    await db.schema.dropTableIfExists('leases').dropTableIfExists('things')
    await db.schema.createTable('leases', (table) => {
      table.text('name').primary()
      table.bigInteger('token')
    })
    await db.schema.createTable('things', (table) => void table.text('name'))
    await db('leases').insert({ name: 'daemon', token: 7 })
    await someWrites(db)
    const [ours, floor]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      fenceTransactions(db, FENCE)
      ours.push(await someWrites(db))
      fenceTransactions(db, null)
      floor.push(await someWrites(db))
    }
    const figures = { ours: median(ours), floor: median(floor), unit: 'µs a write' }
    compare({ what: `a write under a lease, ${what}`, ...figures, bound: 1.5 })
  } finally {
    await db.destroy()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
await measure('sqlite', `sqlite:${join(folder, 'bench.db')}`)
rmSync(folder, { recursive: true, force: true })
const server = await startPostgres()
await measure('PostgreSQL', `postgres://${server.user}@/postgres?host=${encodeURIComponent(server.host)}`)
await server.stop()
conclude()
