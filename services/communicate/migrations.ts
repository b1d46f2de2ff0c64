import type { Knex, Migrations } from '../../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../../platform/store/audit.ts'
import { createReads } from './reads.ts'

export const migrations: Migrations = {
  prefix: 'communicate',
  replaces: ['001-rooms', '002-messages', '003-audit'],
  steps: [
    {
      name: '0.1.0',
      up: async (db) => {
        await createRooms(db)
        await createMessages(db)
        await createAuditTable(db, 'communicate')
      },
    },
    {
      name: 'room-creators',
      up: (db) => db.schema.alterTable('communicate_rooms', (columns) => void columns.index(['created_by'])),
    },
    { name: 'audit-pages', up: (db) => addAuditPages(db, 'communicate') },
    { name: 'reads', up: createReads },
  ],
}

async function createRooms(db: Knex): Promise<void> {
  await db.schema.createTable('communicate_rooms', (columns) => {
    columns.increments('seq')
    columns.string('id', 36).notNullable().unique()
    columns.string('name', 128).notNullable().unique()
    columns.text('topic')
    columns.text('description')
    columns.string('room_type', 16).notNullable()
    columns.string('created_by', 128).notNullable()
    columns.string('created_at', 30).notNullable()
    columns.string('updated_at', 30).notNullable()
    columns.integer('version').notNullable().defaultTo(0)
    columns.integer('posted').notNullable().defaultTo(0)
    columns.integer('deleted').notNullable().defaultTo(0)
    columns.index(['room_type', 'seq'])
  })
  await db.schema.createTable('communicate_participants', (columns) => {
    columns.increments('seq')
    columns.string('id', 36).notNullable().unique()
    columns.string('room_id', 36).notNullable()
    columns.string('identifier', 128).notNullable()
    columns.string('kind', 16).notNullable()
    columns.text('display_name').notNullable()
    columns.string('role', 16).notNullable()
    columns.string('joined_at', 30).notNullable()
    columns.unique(['room_id', 'identifier'])
    columns.index(['identifier', 'seq'])
  })
}

async function createMessages(db: Knex): Promise<void> {
  await db.schema.createTable('communicate_messages', (columns) => {
    columns.increments('seq')
    columns.string('id', 36).notNullable().unique()
    columns.string('room_id', 36).notNullable()
    columns.integer('number').notNullable()
    columns.string('sender_id', 128).notNullable()
    columns.text('sender_name').notNullable()
    columns.string('sender_kind', 16).notNullable()
    columns.text('content').notNullable()
    columns.text('metadata').notNullable()
    columns.string('reply_to', 36)
    columns.string('status', 16).notNullable()
    columns.string('created_at', 30).notNullable()
    columns.integer('taken_back').notNullable().defaultTo(0)
    columns.unique(['room_id', 'number'])
  })
  await db.schema.createTable('communicate_locks', (columns) => {
    columns.increments('seq')
    columns.string('room_id', 36).notNullable()
    columns.string('holder', 128).notNullable()
    columns.text('holder_name').notNullable()
    columns.text('purpose').notNullable()
    columns.string('message_id', 36).notNullable()
    columns.string('since', 30).notNullable()
    columns.string('expires_at', 30).notNullable()
    columns.unique(['room_id', 'holder'])
    columns.index(['expires_at'])
  })
  await db.schema.createTable('communicate_leftovers', (columns) => {
    columns.increments('seq')
    columns.string('room_id', 36).notNullable().unique()
  })
}
