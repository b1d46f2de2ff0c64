// What a run was about to do to a resource, and what of it came about. A crash, or a failure, between an effect and its
// record leaves both unknown: what is live as it was intended is the manifest's doing, and nobody's drift. Pure.
import type { Shape } from '../../schemas/members/keyed-list.ts'
import type { Action } from '../../schemas/plan.ts'
import type { Observed } from '../reconciler.ts'
import { memberAt, same } from './diff.ts'
import { withMembers } from './merge.ts'
import type { Owned } from './ownership.ts'

export interface Intent {
  action: Action
  /** Paths that the step was to change; a creation makes all that its entry desires. */
  paths: readonly string[]
  /** The entry as it is when the step is done; of a deletion, as it was. */
  entry: Owned
}

/** Steps that were begun and whose end is not on record. */
export interface OpenIntents {
  get(kind: string, name: string): Intent | undefined
  ofSource(source: string): Intent[]
  all(): Iterable<Intent>
}

/** Without a daemon nothing is begun. */
export const NO_INTENTS: OpenIntents = { get: () => undefined, ofSource: () => [], all: () => [] }

/**
 * The entry of a resource with what was done of an intent: the same object where nothing was. An adoption that has
 * changed nothing owns nothing.
 */
export function settleIntent(
  owned: Owned | undefined,
  { action, paths, entry }: Intent,
  live: Observed<any, any> | null | undefined,
  shape: Shape,
): Owned | undefined {
  if (action === 'delete' || (action === 'replace' && !live)) {
    // What was to be deleted is made whole by its manifest, should that be back.
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
