import type { Knex } from '../../../platform/database/database.ts'

/** Long texts are last: a scan of the sizes does not read them. */
export async function createEntries(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_entries', (table) => {
    table.string('id', 36).primary()
    table.string('agent_id', 36).notNullable()
    table.string('turn_id', 36)
    table.string('type', 16).notNullable()
    table.string('at', 30).notNullable().index()
    table.string('origin', 320).notNullable()
    table.integer('size').notNullable()
    table.integer('shown_size').notNullable()
    table.text('entry').notNullable()
    table.text('content')
    table.unique(['agent_id', 'origin'])
    table.index(['agent_id', 'id'])
  })
}
