import type { Knex } from '../../../platform/database/database.ts'

export async function createRooms(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_room_members', (table) => {
    table.string('agent_id', 36).notNullable()
    table.string('room', 128).notNullable()
    table.string('role', 16).notNullable()
    table.primary(['agent_id', 'room'])
  })
  await db.schema.createTable('orchestrator_room_cursors', (table) => {
    table.string('room_id', 36).primary()
    table.string('message_id', 36).notNullable()
  })
  await db.schema.createTable('orchestrator_room_prompts', (table) => {
    table.increments('seq')
    table.string('id', 36).notNullable().unique()
    table.string('prompt_id', 36).unique()
    table.string('agent_id', 36).notNullable()
    table.string('sender_id', 128).notNullable()
    table.string('room_id', 36).notNullable()
    table.string('message_id', 36).notNullable()
    table.string('kind', 16).notNullable()
    table.integer('hops').notNullable()
    table.string('status', 16).notNullable()
    table.text('content')
    table.text('error')
    table.string('created_at', 30).notNullable()
    table.unique(['agent_id', 'message_id'])
    table.index(['status', 'seq'])
    table.index(['agent_id', 'room_id', 'seq'])
  })
}
