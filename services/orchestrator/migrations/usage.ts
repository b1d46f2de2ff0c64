import type { Knex } from '../../../platform/database/database.ts'

export async function createUsageHours(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_usage_hours', (table) => {
    table.string('start', 30).notNullable()
    table.string('agent_id', 36).notNullable()
    for (const figure of [
      'input_tokens',
      'output_tokens',
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
      'total_cost_usd',
      'num_turns',
      'duration_ms',
      'duration_api_ms',
      'result_count',
    ]) {
      table.double(figure).notNullable()
    }
    table.primary(['start', 'agent_id'])
  })
}
