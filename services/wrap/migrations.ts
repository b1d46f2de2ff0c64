// The tables of the session launch.
import type { Migrations } from '../../platform/database/database.ts'
import { auditTable } from '../../platform/store/audit.ts'

export const migrations: Migrations = {
  prefix: 'wrap',
  steps: [
    {
      name: '001-launches',
      up: (db) =>
        db.schema.createTable('wrap_launches', (columns) => {
          columns.increments('seq')
          columns.string('id', 36).notNullable().unique()
          columns.string('session_name', 128).notNullable()
          for (const name of ['project_path', 'model_provider', 'model_name']) columns.text(name).notNullable()
          columns.string('agent_type', 16).notNullable()
          columns.string('created_at', 30).notNullable().index()
        }),
    },
    auditTable('wrap', '002-audit'),
  ],
}
