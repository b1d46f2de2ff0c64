import type { Knex, Migrations } from '../../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../../platform/store/audit.ts'

export const migrations: Migrations = {
  prefix: 'index',
  replaces: ['001-repositories', '002-audit', '003-version'],
  steps: [
    { name: '0.1.0', up: createTables },
    { name: 'audit-pages', up: (db) => addAuditPages(db, 'index') },
  ],
}

async function createTables(db: Knex): Promise<void> {
  await db.schema.createTable('index_repositories', (columns) => {
    columns.increments('seq')
    columns.string('id', 36).notNullable().unique()
    columns.string('name', 128).notNullable().index()
    columns.text('path').notNullable()
    // Resolved path without links; unique, so that a directory is indexed once.
    columns.text('root').notNullable().unique()
    columns.string('status', 16).notNullable()
    columns.text('languages')
    columns.text('ignore').notNullable()
    columns.string('created_at', 30).notNullable()
    columns.string('updated_at', 30).notNullable()
    columns.string('last_indexed', 30)
    columns.text('error_message')
    columns.text('model')
    columns.integer('version').notNullable().defaultTo(0)
  })
  await createAuditTable(db, 'index')
}
