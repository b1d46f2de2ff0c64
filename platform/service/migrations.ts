import { existsSync } from 'node:fs'
import { sqliteFile, type Config } from '../core/config.ts'
import { checkMigrations } from '../database/compatibility.ts'
import { openDatabase, type Knex, type Migrations } from '../database/database.ts'
import { createLeaseTable } from '../store/lease.ts'
import type { Served } from './define.ts'

export const hostMigrations: Migrations = {
  prefix: 'host',
  replaces: ['001-leases', '002-lease-holders'],
  steps: [
    {
      name: '0.1.0',
      up: async (db) => {
        await createLeaseTable(db, 'host')
        // The holder as JSON.
        await db.schema.alterTable('host_leases', (table) => void table.text('about'))
      },
    },
  ],
}

interface Asked {
  config: Config
  services: readonly Served[]
  db?: Knex
}

/** Checks the tables of all services before any migration. */
export async function checkDatabase({ config: { databaseUrl }, services, db: given }: Asked): Promise<Migrations[]> {
  const file = sqliteFile(databaseUrl)
  if (!given && file !== null && !existsSync(file)) return []
  const db = given ?? openDatabase(databaseUrl, { readOnly: true })
  try {
    return await checkMigrations(db, [hostMigrations, ...services.map(({ definition }) => definition.migrations)])
  } finally {
    if (!given) await db.destroy()
  }
}
