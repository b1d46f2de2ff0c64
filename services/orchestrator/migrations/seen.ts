// What a workflow has taken on of a source that lists the same things again and again.
import type { Knex } from '../../../platform/database/database.ts'

export async function seenTasks(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_seen_tasks', (table) => {
    table.string('workflow_id', 36).notNullable()
    table.string('name', 255).notNullable()
    table.primary(['workflow_id', 'name'])
  })
}
