// Two writers that keep undoing each other: the daemon is the one that stops, and says so once.
import { timestamp, type Clock } from '../../platform/core/clock.ts'
import type { Contest, Owned } from '../planning/ownership.ts'
import type { DriftRecords } from './drift-records.ts'

/** A member that was put back this often, and is changed again, is contested. */
const MOST_HEALED = 3
/** Within this time, in milliseconds. */
const WITHIN_MS = 10 * 60_000

/** The contest that begins with what is about to be healed once more; null where it is not so far. */
export async function contestAt(
  owned: Owned,
  paths: readonly string[],
  { drift, clock }: { drift: DriftRecords; clock: Clock },
): Promise<Contest | null> {
  const earliest = new Date(clock.now() - WITHIN_MS).toISOString()
  // What was settled once is counted anew.
  const since = [earliest, owned.contested?.since ?? ''].sort().at(-1)!
  if ((await drift.healedSince(owned, paths, since)) < MOST_HEALED) return null
  const open = drift.openOf(owned.kind, owned.name).filter(({ path }) => paths.includes(path))
  const actors = [...new Set(open.map(({ actor }) => actor ?? 'unknown'))]
  return { paths: [...paths], actors, since: timestamp(clock), isOver: false }
}

export const contestText = ({ paths, actors }: Pick<Contest, 'paths' | 'actors'>): string =>
  `${paths.map((path) => path || 'it').join(', ')} was put back ${MOST_HEALED} times within ${WITHIN_MS / 60_000} minutes, and changed again by ${actors.join(', ')}: nothing is written until its manifest changes, its drift is reverted, or it is resumed`
