// Usage of agents per hour, which outlives the agents.
import type { Knex } from '../../../platform/database/database.ts'
import type { UsageAsked, UsageHistory, UsagePeriod } from '../../../schemas/agent/usage.ts'
import { deleteOlder } from './old-rows.ts'
import { FIGURES, figures, shownFigures, type Figures } from './usage-tables.ts'
import type { Querying, Writing } from './world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Start of the hour or day in UTC that contains `ms`, as RFC 3339. */
const startOf = (ms: number, lengthMs: number): string => new Date(ms - (ms % lengthMs)).toISOString()

/** Adds the usage of turns that end now, by agent. */
export async function addToHour(
  { clock, tables }: Writing,
  transaction: Knex,
  used: ReadonlyMap<string, Figures>,
): Promise<void> {
  if (used.size === 0) return
  const table = tables.usageHours.name
  const start = startOf(clock.now(), HOUR_MS)
  const sums = FIGURES.map((name) => [name, transaction.raw('?? + ??', [`${table}.${name}`, `excluded.${name}`])])
  await transaction(table)
    .insert([...used].map(([agent_id, turn]) => ({ start, agent_id, ...turn })))
    .onConflict(['start', 'agent_id'])
    .merge(Object.fromEntries(sums))
}

export async function usageHistory(
  { clock, db, tables }: Querying & Writing,
  { hours, agentId }: UsageAsked,
): Promise<UsageHistory> {
  const now = clock.now()
  const starts = Array.from({ length: hours }, (_, at) => startOf(now - (hours - 1 - at) * HOUR_MS, HOUR_MS))
  const [first, day] = [starts[0]!, startOf(now, DAY_MS)]
  const query = db(tables.usageHours.name).where('start', '>=', first < day ? first : day)
  if (agentId !== undefined) void query.where({ agent_id: agentId })
  const sums = Object.fromEntries(FIGURES.map((name) => [name, name]))
  const rows: UsagePeriod[] = await query.groupBy('start').select('start').sum(sums)
  const byStart = new Map(rows.map((row) => [row.start, row]))
  const since = (start: string): UsagePeriod => {
    const some = rows.filter((row) => row.start >= start)
    return { start, ...shownFigures(figures((name) => some.reduce((sum, row) => sum + row[name], 0))) }
  }
  return {
    agent_id: agentId ?? null,
    hours: starts.map((start) => ({
      start,
      ...shownFigures(figures((name) => byStart.get(start)?.[name] ?? 0)),
    })),
    total: since(first),
    today: since(day),
  }
}

/** Deletes hours that began before `before` (RFC 3339). Returns the number of rows removed. */
export const dropOldHours = ({ db, tables }: Querying, before: string, signal: AbortSignal): Promise<number> =>
  deleteOlder(db, { table: tables.usageHours.name, key: 'start', at: 'start' }, before, signal)
