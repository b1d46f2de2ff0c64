// Ends of dispatches that workflows have yet to follow on, and delays that have fired.
import type { Knex } from '../../../platform/database/database.ts'

export async function chainEnds(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_chain_ends', (table) => {
    table.increments('seq')
    table.string('workflow_id', 36).notNullable()
    table.string('dispatch_id', 36).notNullable()
    table.unique(['workflow_id', 'dispatch_id'])
  })
}

/** Workflows whose trigger has yielded all it ever will; those of before say by their cursor that it has. */
export async function finishedWorkflows(db: Knex): Promise<void> {
  await db.schema.alterTable('orchestrator_workflows', (table) => {
    table.boolean('finished').notNullable().defaultTo(false)
  })
  const fired = db('orchestrator_trigger_cursors').where('cursor', 'like', '%"fired":true%').select('workflow_id')
  await db('orchestrator_workflows').where({ enabled: false }).whereIn('id', fired).update({ finished: true })
}
