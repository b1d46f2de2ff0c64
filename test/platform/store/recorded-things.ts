// Tables whose changes are recorded in tests.
import type { Knex } from '../../../platform/database/database.ts'
import type { ChangeSource } from '../../../platform/store/change-triggers.ts'

export const ALL: ChangeSource = { table: 'sample_things', topic: 'things', id: ['id'] }

export async function createThings(db: Knex): Promise<void> {
  await db.schema.createTable('sample_managed', (columns) => {
    columns.string('kind', 16).notNullable()
    columns.string('live_id', 36)
    columns.integer('line').notNullable().defaultTo(1)
    columns.string('seen', 16)
  })
  for (const table of ['sample_things', 'sample_others'])
    await db.schema.createTable(table, (columns) => {
      columns.string('id', 36).primary()
      columns.integer('part').notNullable().defaultTo(1)
      columns.string('room', 36).notNullable().defaultTo('hall')
      columns.text('name').notNullable().defaultTo('')
      columns.text('seen').notNullable().defaultTo('')
    })
}
