import type { Shape } from '../../schemas/members/keyed-list.ts'
import type { Drift } from '../../schemas/resource.ts'
import { meaningOf, memberAt, type Difference } from '../planning/diff.ts'
import { shownDeviation, type Deviation } from '../planning/drift.ts'
import { digest, type MaskedSpec } from '../planning/masking.ts'
import type { Owned } from '../planning/ownership.ts'
import { driftModeOf, type SyncRules } from '../planning/sync-rules.ts'
import { isController, type Reconciler, type Lookup, type Writer } from '../reconciler.ts'

/** Digests show later what changed; null if not part of the spec. */
export interface Found extends Deviation {
  applied_digest: string | null
  live_digest: string | null
}

export function foundIn(difference: Difference, applied: MaskedSpec, shape: Shape): Found {
  const { path, live, isState } = difference
  return {
    ...shownDeviation(difference),
    applied_digest: isState ? null : digestAt(applied, path, shape),
    live_digest: isState ? null : valueDigest(live),
  }
}

/** Includes the context that gives the field its meaning. */
function digestAt(side: MaskedSpec, path: string, shape: Shape): string {
  return valueDigest([memberAt(side.value, path, shape), meaningOf(side.value, path, shape)])
}

function valueDigest(value: unknown): string {
  return digest(JSON.stringify(value ?? null))
}

export type Resolution = NonNullable<Drift['resolution']>
type Recorded = Pick<Drift, 'path' | 'request_id'> & Pick<Found, 'applied_digest' | 'live_digest'>

export interface Ending extends Shape {
  desired: MaskedSpec
  applied: MaskedSpec
  live: MaskedSpec | null
  rules: SyncRules
  isReverting: boolean
  writer(path: string): Promise<Writer | null>
}

/**
 * `overwritten`: a manifest change replaced the manual value. `accepted`: it adopted that value. `ignored`: a rule
 * ignores the field. `reverted`: on request. `healed`: by a rule. `resolved`: undone manually.
 */
export async function resolutionOf(row: Recorded, ending: Ending): Promise<Resolution> {
  const { desired, applied, live, rules, isReverting } = ending
  const isMember = row.applied_digest !== null
  const isAsFound = isMember && valueDigest(live && memberAt(live.value, row.path, ending)) === row.live_digest
  const moved = (side: MaskedSpec) => isMember && digestAt(side, row.path, ending) !== row.applied_digest
  if (moved(applied)) return isAsFound && row.path !== '' ? 'accepted' : 'overwritten'
  if (isReverting && !isAsFound) return 'reverted'
  if (moved(desired)) return isAsFound && row.path !== '' ? 'accepted' : 'overwritten'
  if (isAsFound) return 'ignored'
  const writer = await ending.writer(row.path)
  const isOurs = writer !== null && isController(writer)
  if (driftModeOf(rules, row.path) === 'heal')
    return isOurs || !writer || writer.requestId === row.request_id ? 'healed' : 'resolved'
  return isOurs ? 'reverted' : 'resolved'
}

interface Seeing {
  reconciler: Reconciler
  lookup: Lookup
  writer(path: string): Promise<Writer | null>
}

/**
 * Drops references to pruned resources, which show an id instead of a name without any change: the controller wrote the
 * field last, and the former name is no longer owned.
 */
export async function withoutPrunedReferences(
  owned: Owned,
  found: readonly Found[],
  seeing: Seeing,
): Promise<readonly Found[]> {
  const { reconciler, lookup, writer } = seeing
  if (found.length === 0 || owned.applied === null) return found
  const pruned = (reconciler.refersTo?.(owned.applied) ?? []).filter(({ kind, name }) => !lookup.liveId(kind, name))
  const moved: Found[] = []
  for (const each of found) {
    const hand = pruned.some(({ path }) => path === each.path) ? await writer(each.path) : null
    if (!hand || !isController(hand)) moved.push(each)
  }
  return moved
}
