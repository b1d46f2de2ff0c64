// The tables of the monitor: its history is in memory.
import type { Migrations } from '../../platform/database/database.ts'
import { auditTable } from '../../platform/store/audit.ts'

export const migrations: Migrations = { prefix: 'monitor', steps: [auditTable('monitor', '001-audit')] }
