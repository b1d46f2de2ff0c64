// The tables of the code index.
import type { Migrations } from '../../platform/database/database.ts'
import { auditTable } from '../../platform/store/audit.ts'

export const migrations: Migrations = {
  prefix: 'index',
  steps: [
    {
      name: '001-repositories',
      up: (db) =>
        db.schema.createTable('index_repositories', (columns) => {
          columns.increments('seq')
          columns.string('id', 36).notNullable().unique()
          columns.string('name', 128).notNullable().index()
          columns.text('path').notNullable()
          // Where the path leads, without links: what is indexed, and once only.
          columns.text('root').notNullable().unique()
          columns.string('status', 16).notNullable()
          columns.text('languages')
          columns.text('ignore').notNullable()
          columns.string('created_at', 30).notNullable()
          columns.string('updated_at', 30).notNullable()
          columns.string('last_indexed', 30)
          columns.text('error_message')
          columns.text('model')
        }),
    },
    auditTable('index', '002-audit'),
    {
      name: '003-version',
      up: (db) =>
        db.schema.alterTable('index_repositories', (columns) => {
          columns.integer('version').notNullable().defaultTo(0)
        }),
    },
  ],
}
