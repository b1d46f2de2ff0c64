import type { Knex } from '../../../platform/database/database.ts'

/** Adds a unique `id`, and `seq`, which orders rows with the same time. */
export function numbered(table: Knex.CreateTableBuilder): void {
  table.increments('seq')
  table.string('id', 36).notNullable().unique()
}
