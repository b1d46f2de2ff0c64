import { timestamp, type Clock } from '../../platform/core/clock.ts'
import type { Contest, Owned } from '../planning/ownership.ts'
import type { DriftRecords } from './drift-records.ts'

/** Heals after which another change makes a field contested. */
const MOST_HEALED = 3
const WITHIN_MS = 10 * 60_000

/** Null if `paths` are not contested. */
export async function contestAt(
  owned: Owned,
  paths: readonly string[],
  { drift, clock }: { drift: DriftRecords; clock: Clock },
): Promise<Contest | null> {
  const earliest = new Date(clock.now() - WITHIN_MS).toISOString()
  // Earlier heals belong to a contest that was settled.
  const since = [earliest, owned.contested?.since ?? ''].sort().at(-1)!
  if ((await drift.healedSince(owned, paths, since)) < MOST_HEALED) return null
  const open = drift.openOf(owned.kind, owned.name).filter(({ path }) => paths.includes(path))
  const actors = [...new Set(open.map(({ actor }) => actor ?? 'unknown'))]
  return { paths: [...paths], actors, since: timestamp(clock), isOver: false }
}

export const contestText = ({ paths, actors }: Pick<Contest, 'paths' | 'actors'>): string =>
  `${paths.map((path) => path || 'it').join(', ')} was reverted ${MOST_HEALED} times within ${WITHIN_MS / 60_000} minutes and changed again by ${actors.join(', ')}: nothing is written until its manifest changes, its drift is reverted, or it is resumed`
