// The tables of the questions.
import type { Migrations } from '../../platform/database/database.ts'
import { auditTable } from '../../platform/store/audit.ts'

export const migrations: Migrations = {
  prefix: 'ask',
  steps: [
    {
      name: '001-questions',
      up: (db) =>
        db.schema.createTable('ask_questions', (columns) => {
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
        }),
    },
    auditTable('ask', '002-audit'),
  ],
}
