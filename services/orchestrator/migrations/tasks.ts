// Tasks that wait for their agent: what they were made of, how deep in a chain they are, and when their trigger fired.
import type { Knex } from '../../../platform/database/database.ts'
import { pageIndex } from '../../../platform/store/page.ts'

export async function durableTasks(db: Knex): Promise<void> {
  await db.schema.alterTable('orchestrator_dispatches', (table) => {
    // Null: an earlier version did not keep it.
    table.text('task')
    table.integer('depth').notNullable().defaultTo(0)
  })
  await pageIndex(db, 'orchestrator_dispatches', ['workflow_id', 'status', 'seq'])
  await db.schema.createTable('orchestrator_firings', (table) => {
    table.string('workflow_id', 36).primary()
    table.string('last_fired_at', 30)
    table.text('last_error')
  })
}
