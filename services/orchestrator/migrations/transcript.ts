// What was said, to be read later: the frames that people read, and the answer to each prompt.
import type { Knex } from '../../../platform/database/database.ts'
import { pageIndex } from '../../../platform/store/page.ts'

export async function transcript(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_transcript', (table) => {
    table.increments('seq')
    table.string('agent_id', 36).notNullable()
    table.string('type', 64).notNullable()
    table.text('content').notNullable()
    table.text('details')
    table.string('timestamp', 30).notNullable()
    table.index(['timestamp'])
    table.index(['agent_id', 'seq'])
  })
  await db.schema.alterTable('orchestrator_prompts', (table) => {
    // Null: none came, or an earlier version did not keep it.
    table.text('result')
  })
  await pageIndex(db, 'orchestrator_prompts', ['agent_id', 'seq'])
}
