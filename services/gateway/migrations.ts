import type { Knex, Migrations } from '../../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../../platform/store/audit.ts'
import { createChangeTables } from '../../platform/store/change-rows.ts'

export const SESSIONS = 'gateway_sessions'

export const migrations: Migrations = {
  prefix: 'gateway',
  steps: [
    { name: 'sessions', up: createSessions },
    { name: 'live-changes', up: createChangeTables },
    { name: 'audit-pages', up: (db) => addAuditPages(db, 'gateway') },
  ],
}

/** Only digests: neither cookie, key nor token can be read from the database. */
async function createSessions(db: Knex): Promise<void> {
  await db.schema.createTable(SESSIONS, (columns) => {
    columns.increments('seq')
    for (const name of ['cookie', 'key', 'token']) columns.string(`${name}_sha256`, 64).notNullable()
    columns.string('expires_at', 30).notNullable()
    columns.unique(['cookie_sha256'])
    columns.index(['token_sha256', 'seq'])
    columns.index(['expires_at'])
  })
  await createAuditTable(db, 'gateway')
}
