// Live resources under the names that they are about to have: what nobody owns yet, and the manifests of this reading
// will adopt.
import type { LiveKind } from '../planning/facts.ts'
import { namedBy } from '../planning/pass-scope.ts'
import type { OwnedResources } from '../planning/ownership.ts'
import type { DesiredState } from '../reading/desired.ts'
import type { Lookup } from '../reconciler.ts'

interface Foreseeing {
  state: DesiredState
  /** By kind/name: all that is looked at; undefined: everything. */
  only: ReadonlySet<string> | undefined
  inventory: OwnedResources
  live: ReadonlyMap<string, LiveKind>
}

/**
 * Answers as `lookup`, and for what will be adopted as if it had been. Null where nothing will: then what was observed
 * with `lookup` stands.
 */
export function foreseen(lookup: Lookup, { state, only, inventory, live }: Foreseeing): Lookup | null {
  const [names, ids] = [new Map<string, string>(), new Map<string, string>()]
  for (const { kind, name } of only ? namedBy(only, state.resources) : state.resources) {
    if (inventory.get(kind, name)) continue
    const unowned = (live.get(kind)?.byName.get(name) ?? []).filter(({ liveId }) => !inventory.byLiveId(kind, liveId))
    // A name that is the id in its kind needs no foreseeing.
    if (unowned.length !== 1 || unowned[0]!.liveId === name) continue
    names.set(`${kind}/${unowned[0]!.liveId}`, name)
    ids.set(`${kind}/${name}`, unowned[0]!.liveId)
  }
  if (names.size === 0) return null
  return {
    liveId: (kind, name) => lookup.liveId(kind, name) ?? ids.get(`${kind}/${name}`) ?? null,
    nameOf: (kind, liveId) => lookup.nameOf(kind, liveId) ?? names.get(`${kind}/${liveId}`) ?? null,
  }
}
