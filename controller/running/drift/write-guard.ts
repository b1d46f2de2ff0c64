// Enforces `drift: block`.
import { conflict } from '../../../platform/core/problem.ts'
import type { WriteGuard } from '../../../platform/store/write-guards.ts'
import { isBelow, topMember } from '../../../schemas/members/member-path.ts'
import type { Owned } from '../../planning/ownership.ts'
import { driftModeOf } from '../../planning/sync-rules.ts'
import { idOf } from '../../reading/graph.ts'
import { placeOf } from './blame.ts'
import type { Inventory } from '../inventory.ts'
import type { Sources } from '../sources/sources.ts'
import type { LiveSystem } from '../../watching/live-system.ts'

interface Parts {
  sources: Sources
  inventory: Inventory
  live: LiveSystem
}

/**
 * Permits writes while the resource or source is suspended, or the source orphaned: the manifest could not be changed
 * instead.
 */
export function writeGuardOf(parts: Parts): WriteGuard {
  return ({ kind, id, members }) => {
    const { inventory, sources } = parts
    const owned = inventory.byLiveId(kind, id)
    const source = owned && sources.find(owned.source)
    if (!owned || !source || source.orphaned || source.suspended || owned.suspended) return
    const rules = sources.rulesOf(owned)
    const blocked = declaredMembers(owned, members, parts).filter(
      (path) => driftModeOf(rules, path) === 'block' && !(path !== '' && isBelow(path, rules.ignore)),
    )
    if (blocked.length > 0) throw refusal(owned, blocked, placeOf(owned, blocked[0]!, source))
  }
}

function declaredMembers(owned: Owned, members: readonly string[], { live }: Parts): string[] {
  const reconciler = live.reconcilerOf(owned.kind)
  return members.flatMap((written) => {
    const member = reconciler.declares ? reconciler.declares(written, owned.desired, live.lookup) : written
    return member ?? []
  })
}

const MOST_NAMED = 3

function refusal(owned: Owned, paths: readonly string[], at: string) {
  // Of many paths, only top-level fields are named.
  const named = paths.length > MOST_NAMED ? [...new Set(paths.map(topMember))] : paths
  const what = paths[0] === '' ? idOf(owned) : `${named.join(', ')} of ${idOf(owned)}`
  return conflict(
    `${what} ${named.length === 1 ? 'is' : 'are'} managed by a manifest, ${at} of source ${owned.source} (sync.drift: block); nothing was written: change it there, or suspend it first with: svc suspend ${idOf(owned)}`,
    'managed-by-manifest',
  )
}
