// The host's own tables.
import type { Migrations } from '../database.ts'
import { leaseTable } from '../store/lease.ts'

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
