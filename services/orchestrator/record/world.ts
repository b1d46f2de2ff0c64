// The record: the database, its tables and the stores over them, which write every row of the orchestrator.
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import type { World } from '../../../platform/service/world.ts'
import type { Audit } from '../../../platform/store/audit.ts'
import type { AgentStore } from './agent-store.ts'
import type { Tables } from './tables.ts'

/** Reads and deletes rows, in a transaction or outside one. */
export interface Reading {
  tables: Tables
}

/** Reads by queries of its own, and opens transactions. */
export interface Querying extends Reading, Pick<World, 'db'> {}

/** Changes rows and notes when. */
export interface Writing extends Reading, Pick<World, 'clock'> {}

/** Adds rows, each with its id. */
export interface Creating extends Writing, Pick<World, 'ids'> {}

export interface RecordWorld extends Querying, Creating, Pick<World, 'log'> {
  agents: AgentStore
  audit: Audit
}

export const now = ({ clock }: { clock: Clock }): string => timestamp(clock)
