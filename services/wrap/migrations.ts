import type { Knex, Migrations } from '../../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../../platform/store/audit.ts'

export const migrations: Migrations = {
  prefix: 'wrap',
  replaces: ['001-launches', '002-audit'],
  steps: [
    { name: '0.1.0', up: createTables },
    { name: 'audit-pages', up: (db) => addAuditPages(db, 'wrap') },
  ],
}

async function createTables(db: Knex): Promise<void> {
  await db.schema.createTable('wrap_launches', (columns) => {
    columns.increments('seq')
    columns.string('id', 36).notNullable().unique()
    columns.string('session_name', 128).notNullable()
    for (const name of ['project_path', 'model_provider', 'model_name']) columns.text(name).notNullable()
    columns.string('agent_type', 16).notNullable()
    columns.string('created_at', 30).notNullable().index()
  })
  await createAuditTable(db, 'wrap')
}
