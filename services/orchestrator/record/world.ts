// What every part of the orchestrator leans on that is no part itself: its world, its tables, and the time.
import { timestamp, type Clock } from '../../../platform/clock.ts'
import type { World } from '../../../platform/service/world.ts'
import type { settings } from '../settings.ts'
import type { Tables } from './tables.ts'

export interface StoredWorld extends World<typeof settings> {
  tables: Tables
}

export const now = ({ clock }: { clock: Clock }): string => timestamp(clock)
