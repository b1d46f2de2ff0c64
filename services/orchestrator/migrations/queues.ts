// Tasks that were pushed to queues, until they are done and forgotten.
import type { Knex } from '../../../platform/database/database.ts'

export async function queueTasks(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_queue_tasks', (table) => {
    table.increments('seq')
    table.string('id', 36).notNullable().unique()
    table.string('queue_name', 64).notNullable()
    table.string('status', 16).notNullable()
    table.text('title').notNullable()
    table.text('body').notNullable()
    table.integer('priority').notNullable()
    table.integer('retry_count').notNullable()
    table.integer('max_retries').notNullable()
    table.string('dispatch_id', 36).index()
    table.text('error')
    table.string('created_at', 30).notNullable()
    table.string('visible_at', 30).notNullable()
    table.string('ended_at', 30)
    table.index(['queue_name', 'status', 'visible_at'])
    table.index(['status', 'ended_at'])
  })
  await db.raw('CREATE INDEX ?? ON ?? (queue_name, status, priority DESC, seq)', [
    'orchestrator_queue_tasks_claim',
    'orchestrator_queue_tasks',
  ])
}
