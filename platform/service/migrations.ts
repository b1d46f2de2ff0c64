// The host's own tables, and whether the tables of all services are of this version or an earlier one.
import { existsSync } from 'node:fs'
import type { Config } from '../core/config.ts'
import { openDatabase, refuseNewer, sqliteFile, type Knex, type Migrations } from '../database/database.ts'
import { leaseTable } from '../store/lease.ts'
import type { Served } from './define.ts'

export const hostMigrations: Migrations = {
  prefix: 'host',
  steps: [
    leaseTable('host', '001-leases'),
    {
      name: '002-lease-holders',
      // Who holds it, in JSON: for whoever comes second, and for people who look into the table.
      up: (db) => db.schema.alterTable('host_leases', (table) => void table.text('about')),
    },
  ],
}

interface Asked {
  config: Config
  services: readonly Served[]
  db?: Knex
}

/** Before any service migrates: what is refused is as it was. Throws the 409 of `refuseNewer`. */
export async function refuseNewerDatabase({ config: { databaseUrl }, services, db: given }: Asked): Promise<void> {
  const file = sqliteFile(databaseUrl)
  if (!given && file !== null && !existsSync(file)) return
  const db = given ?? openDatabase(databaseUrl, { readOnly: true })
  try {
    await refuseNewer(db, [hostMigrations, ...services.map(({ definition }) => definition.migrations)])
  } finally {
    if (!given) await db.destroy()
  }
}
