import type { Knex, Migrations } from '../../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../../platform/store/audit.ts'
import { createOutboxTable } from '../../platform/store/outbox.ts'
import { pageIndex } from '../../platform/store/page.ts'

export const migrations: Migrations = {
  prefix: 'notify',
  replaces: ['001-notifications', '002-audit', '003-outbox'],
  steps: [
    { name: '0.1.0', up: createTables },
    { name: 'notification-owners', up: addOwners },
    { name: 'delivery-pages', up: addDeliveryPages },
    { name: 'audit-pages', up: (db) => addAuditPages(db, 'notify') },
  ],
}

async function createTables(db: Knex): Promise<void> {
  await db.schema.createTable('notify_notifications', (columns) => {
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
  })
  await createAuditTable(db, 'notify')
  await createOutboxTable(db, 'notify')
}

async function addDeliveryPages(db: Knex): Promise<void> {
  await pageIndex(db, 'notify_outbox', ['channel', 'seq'])
  await pageIndex(db, 'notify_outbox', ['channel', 'status', 'seq'])
}

async function addOwners(db: Knex): Promise<void> {
  await db.schema.alterTable('notify_notifications', (columns) => {
    columns.string('owner', 256)
    columns.index(['owner', 'open'])
  })
}
