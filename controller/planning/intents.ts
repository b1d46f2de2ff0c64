// What a run was about to do to a resource, and how much was done. After a crash between an effect and its record, live
// state that matches the intent comes from the manifest and is not drift. Pure.
import type { Shape } from '../../schemas/members/keyed-list.ts'
import type { Action } from '../../schemas/plan.ts'
import type { Observed } from '../reconciler.ts'
import { memberAt, same } from './diff.ts'
import { withMembers } from './merge.ts'
import type { Owned } from './ownership.ts'

export interface Intent {
  action: Action
  /** Paths that the step changes; a creation sets everything its entry desires. */
  paths: readonly string[]
  /** The entry after the step; for a deletion, before it. */
  entry: Owned
}

/** Steps started without a recorded end. */
export interface OpenIntents {
  get(kind: string, name: string): Intent | undefined
  ofSource(source: string): Intent[]
  all(): Iterable<Intent>
}

/** Without a daemon, no step is unfinished. */
export const NO_INTENTS: OpenIntents = { get: () => undefined, ofSource: () => [], all: () => [] }

/**
 * Returns the entry with the completed part of an intent; the same object if nothing was done. An adoption without
 * changes owns nothing.
 */
export function settleIntent(
  owned: Owned | undefined,
  { action, paths, entry }: Intent,
  live: Observed<any, any> | null | undefined,
  shape: Shape,
): Owned | undefined {
  if (action === 'delete' || (action === 'replace' && !live)) {
    // If the manifest returns, it recreates the deleted resource.
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
