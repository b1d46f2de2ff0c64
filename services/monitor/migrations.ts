import type { Migrations } from '../../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../../platform/store/audit.ts'
import { createSamplesTable } from './samples.ts'

export const migrations: Migrations = {
  prefix: 'monitor',
  replaces: ['001-audit'],
  steps: [
    { name: '0.1.0', up: (db) => createAuditTable(db, 'monitor') },
    { name: 'audit-pages', up: (db) => addAuditPages(db, 'monitor') },
    { name: 'samples', up: createSamplesTable },
  ],
}
