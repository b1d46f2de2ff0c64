import { groupBy } from '../../platform/core/group-by.ts'
import type { LiveKind } from '../planning/facts.ts'
import type { OpenIntents } from '../planning/intents.ts'
import type { Owned, OwnedResources } from '../planning/ownership.ts'
import type { DesiredState, DesiredResource } from '../reading/desired-state.ts'
import { namedBy } from '../planning/pass-scope.ts'
import type { Lookup, Observed, Reconciler } from '../reconciler.ts'
import type { LiveSystem } from './live-system.ts'

/** A failing or hanging kind does not block others. */
export async function observeKinds(
  reconcilers: readonly Reconciler[],
  lookup: Lookup,
  signal: AbortSignal,
): Promise<Map<string, LiveKind>> {
  const kinds = reconcilers.map(
    async (reconciler) => [reconciler.definition.kind, await observeKind(reconciler, lookup, signal)] as const,
  )
  return new Map(await Promise.all(kinds))
}

async function observeKind(reconciler: Reconciler, lookup: Lookup, signal: AbortSignal): Promise<LiveKind> {
  const missed = new Map<string, string>()
  try {
    const all = await reconciler.observeAll(lookup, signal, ({ liveId, name }, { message }) =>
      missed.set(liveId, message).set(name, message),
    )
    return indexed(all, missed)
  } catch (error) {
    const { message } = error as Error
    return { byId: new Map(), byName: new Map(), unknown: () => message }
  }
}

interface Asked {
  live: LiveSystem
  inventory: OwnedResources
  intents: OpenIntents
}

/** Observes what a plan for `state` needs, by kind. `only`: resources to observe, as kind/name. */
export async function observeFor(
  state: DesiredState,
  only: ReadonlySet<string> | undefined,
  asked: Asked,
): Promise<Map<string, LiveKind>> {
  const { lookup, reconcilers, signal } = asked.live
  const observe = (as: Lookup) => (only ? observeSome(only, as, asked) : observeKinds(reconcilers, as, signal))
  const found = await observe(lookup)
  // References to a resource about to be adopted use its future name.
  const resources = only ? namedBy(only, state.resources) : state.resources
  const adopting = lookupWithAdoptions(resources, found, asked)
  return adopting ? observe(adopting) : found
}

const AT_ONCE = 8

/**
 * Observes the whole kind if a live id is unknown: any unowned resource may have the name. One failure does not make
 * others unknown.
 */
async function observeSome(ids: ReadonlySet<string>, lookup: Lookup, asked: Asked): Promise<Map<string, LiveKind>> {
  const { live, inventory, intents } = asked
  const { reconcilers, signal } = live
  const kinds = reconcilers.map(async (reconciler) => {
    const { kind } = reconciler.definition
    const names = [...ids].filter((id) => id.startsWith(`${kind}/`)).map((id) => id.slice(kind.length + 1))
    const entries = names.map((name) => inventory.get(kind, name))
    const isKnown = (owned: Owned | undefined): owned is Owned =>
      Boolean(owned?.applied) && owned!.liveId !== null && !intents.get(kind, owned!.name)
    const observed = entries.every(isKnown)
      ? await observeEach(entries, (owned) => live.observe(owned, lookup))
      : await observeKind(reconciler, lookup, signal)
    return [kind, observed] as const
  })
  return new Map(await Promise.all(kinds))
}

async function observeEach(
  entries: readonly Owned[],
  observeOne: (owned: Owned) => Promise<Observed<any, any> | null>,
): Promise<LiveKind> {
  const [found, missed] = [[] as Observed<any, any>[], new Map<string, string>()]
  const left = entries.values()
  const observe = async () => {
    for (const owned of left) {
      try {
        const observed = await observeOne(owned)
        if (observed) found.push(observed)
      } catch (error) {
        const { message } = error as Error
        missed.set(owned.liveId!, message).set(owned.name, message)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, observe))
  return indexed(found, missed)
}

/** `missed`: errors by live id and name. */
const indexed = (all: readonly Observed<any, any>[], missed: ReadonlyMap<string, string>): LiveKind => ({
  byId: new Map(all.map((observed) => [observed.liveId, observed])),
  byName: groupBy(all, ({ spec }) => spec.name),
  unknown: (liveId, name) => missed.get(liveId ?? name) ?? null,
})

/** Knows the resources about to be adopted; null if there are none. */
function lookupWithAdoptions(
  resources: readonly DesiredResource[],
  found: ReadonlyMap<string, LiveKind>,
  { live: { lookup }, inventory }: Asked,
): Lookup | null {
  const [names, ids] = [new Map<string, string>(), new Map<string, string>()]
  for (const { kind, name } of resources) {
    if (inventory.get(kind, name)) continue
    const unowned = (found.get(kind)?.byName.get(name) ?? []).filter(({ liveId }) => !inventory.byLiveId(kind, liveId))
    // The name is the id in this kind.
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
