// The columns that most tables of the orchestrator start with.
import type { Knex } from '../../../platform/database/database.ts'

/** Adds a unique `id`, and `seq`, the order of creation where two rows have the same time. Times are RFC 3339 text. */
export function numbered(table: Knex.CreateTableBuilder): void {
  table.increments('seq')
  table.string('id', 36).notNullable().unique()
}
