// The tables of the notifications.
import type { Migrations } from '../../platform/database/database.ts'
import { auditTable } from '../../platform/store/audit.ts'
import { outboxTable } from '../../platform/store/outbox.ts'

export const migrations: Migrations = {
  prefix: 'notify',
  steps: [
    {
      name: '001-notifications',
      up: (db) =>
        db.schema.createTable('notify_notifications', (columns) => {
          columns.increments('seq')
          columns.string('id', 36).notNullable().unique()
          for (const name of ['source', 'lifetime', 'title', 'message']) columns.text(name).notNullable()
          columns.string('priority', 16).notNullable()
          columns.boolean('requires_response').notNullable()
          columns.string('status', 16).notNullable()
          columns.text('response')
          columns.string('created_at', 30).notNullable()
          columns.string('updated_at', 30).notNullable()
          columns.integer('urgency').notNullable()
          columns.integer('open').notNullable()
          columns.string('due_at', 30)
          columns.index(['status', 'seq'])
          columns.index(['open', 'seq'])
          columns.index(['open', 'urgency', 'seq', 'due_at'])
          columns.index(['due_at'])
        }),
    },
    auditTable('notify', '002-audit'),
    outboxTable('notify', '003-outbox'),
  ],
}
