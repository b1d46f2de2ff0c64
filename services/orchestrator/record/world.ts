// What the record leans on: the database, its tables, the time, and who wrote what.
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import type { World } from '../../../platform/service/world.ts'
import type { Audit } from '../../../platform/store/audit.ts'
import type { AgentStore } from './agent-store.ts'
import type { Tables } from './tables.ts'

export interface RecordWorld extends Pick<World, 'db' | 'clock' | 'log' | 'ids'> {
  tables: Tables
  agents: AgentStore
  audit: Audit
}

export const now = ({ clock }: { clock: Clock }): string => timestamp(clock)
