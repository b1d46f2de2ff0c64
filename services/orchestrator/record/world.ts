import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import type { World } from '../../../platform/service/world.ts'
import type { Audit } from '../../../platform/store/audit.ts'
import type { AgentStore } from './agent-store.ts'
import type { Tables } from './tables.ts'

export interface Reading {
  tables: Tables
}

export interface Querying extends Reading, Pick<World, 'db'> {}

export interface Writing extends Reading, Pick<World, 'clock'> {}

export interface Creating extends Writing, Pick<World, 'ids'> {}

export interface RecordWorld extends Querying, Creating, Pick<World, 'log'> {
  agents: AgentStore
  audit: Audit
}

export const now = ({ clock }: { clock: Clock }): string => timestamp(clock)
