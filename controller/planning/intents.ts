// Intended changes of a run and how much of them was made. After a crash between an effect and its record, live state
// that matches the intent is not drift. Pure.
import type { Shape } from '../../schemas/members/keyed-list.ts'
import type { Action } from '../../schemas/plan.ts'
import type { Observed } from '../reconciler.ts'
import { memberAt, same } from './diff.ts'
import { withMembers } from './merge.ts'
import type { Owned } from './ownership.ts'

export interface Intent {
  action: Action
  /** Changed by the step; a creation sets all desired fields. */
  paths: readonly string[]
  /** After the step; for a deletion, before it. */
  entry: Owned
}

/** Steps without a recorded end. */
export interface OpenIntents {
  get(kind: string, name: string): Intent | undefined
  ofSource(source: string): Intent[]
  all(): Iterable<Intent>
}

export const NO_INTENTS: OpenIntents = { get: () => undefined, ofSource: () => [], all: () => [] }

/**
 * Adds the completed part of an intent to the entry; returns the same object if nothing was done. An adoption without
 * changes owns nothing.
 */
export function settleIntent(
  owned: Owned | undefined,
  { action, paths, entry }: Intent,
  live: Observed<any, any> | null | undefined,
  shape: Shape,
): Owned | undefined {
  if (action === 'delete' || (action === 'replace' && !live)) {
    // Recreated if a manifest declares it again.
    return owned && { ...owned, applied: null, liveId: live ? owned.liveId : null }
  }
  if (!live || live.liveId !== entry.liveId) return owned
  if (action === 'create') return { ...(owned ?? entry), applied: entry.desired }
  const isDone = (path: string) => same(memberAt(entry.desired, path, shape), memberAt(live.spec, path, shape))
  const done = paths.filter(isDone)
  if (done.length === 0) return owned
  if (owned?.applied) return { ...owned, applied: withMembers(owned.applied, entry.desired, done, shape) }
  const open = paths.filter((path) => !isDone(path))
  return { ...(owned ?? entry), liveId: live.liveId, applied: withMembers(entry.desired, live.spec, open, shape) }
}
