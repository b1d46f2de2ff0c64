import type { Knex, Migrations } from '../../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../../platform/store/audit.ts'

export const migrations: Migrations = {
  prefix: 'ask',
  replaces: ['001-questions', '002-audit'],
  steps: [
    { name: '0.1.0', up: createTables },
    { name: 'audit-pages', up: (db) => addAuditPages(db, 'ask') },
  ],
}

async function createTables(db: Knex): Promise<void> {
  await db.schema.createTable('ask_questions', (columns) => {
    columns.increments('seq')
    columns.string('question_id', 36).notNullable().unique()
    columns.string('notification_id', 36)
    columns.string('check_type', 64).notNullable()
    columns.text('question').notNullable()
    columns.string('status', 16).notNullable()
    columns.string('asked_at', 30).notNullable()
    columns.string('expires_at', 30).notNullable()
    columns.text('answer')
    columns.index(['status', 'seq'])
    columns.index(['status', 'expires_at'])
  })
  await createAuditTable(db, 'ask')
}
