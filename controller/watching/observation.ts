// Everything that is live of every kind, observed at once; what could not be observed is known to be unknown.
import type { LiveKind } from '../planning/facts.ts'
import type { OpenIntents } from '../planning/intents.ts'
import type { Owned, OwnedResources } from '../planning/ownership.ts'
import type { Lookup, Observed, Reconciler } from '../reconciler.ts'

/** By kind, in the order of `reconcilers`. A kind that fails or hangs holds none of the others up. */
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
    return new Indexed(all, missed)
  } catch (error) {
    const { message } = error as Error
    return { byId: new Map(), byName: new Map(), unknown: () => message }
  }
}

interface Asked {
  reconcilers: readonly Reconciler[]
  inventory: OwnedResources
  intents: OpenIntents
  lookup: Lookup
  signal: AbortSignal
}

/** Resources that are observed one by one, at once. */
const AT_ONCE = 8

/**
 * The same of some resources alone, as kind/name: each by itself where it is known under its live id, else all of its
 * kind, for anything that nobody owns may bear its name. One that cannot be observed makes no other unknown.
 */
export async function observeSome(ids: ReadonlySet<string>, asked: Asked): Promise<Map<string, LiveKind>> {
  const { reconcilers, inventory, intents, lookup, signal } = asked
  const kinds = reconcilers.map(async (reconciler) => {
    const { kind } = reconciler.definition
    const names = [...ids].filter((id) => id.startsWith(`${kind}/`)).map((id) => id.slice(kind.length + 1))
    const entries = names.map((name) => inventory.get(kind, name))
    const isKnown = (owned: Owned | undefined): owned is Owned =>
      Boolean(owned?.applied) && owned!.liveId !== null && !intents.get(kind, owned!.name)
    const live = entries.every(isKnown)
      ? await observeEach(reconciler, entries, asked)
      : await observeKind(reconciler, lookup, signal)
    return [kind, live] as const
  })
  return new Map(await Promise.all(kinds))
}

async function observeEach(
  reconciler: Reconciler,
  entries: readonly Owned[],
  { lookup, signal }: Asked,
): Promise<LiveKind> {
  const [found, missed] = [[] as Observed<any, any>[], new Map<string, string>()]
  const left = entries.values()
  const observe = async () => {
    for (const { name, liveId } of left) {
      try {
        const observed = await reconciler.observe({ name, liveId }, lookup, signal)
        if (observed) found.push(observed)
      } catch (error) {
        const { message } = error as Error
        missed.set(liveId!, message).set(name, message)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, observe))
  return new Indexed(found, missed)
}

class Indexed implements LiveKind {
  readonly byId: ReadonlyMap<string, Observed<any, any>>
  /** By id and by name. */
  readonly #missed: ReadonlyMap<string, string>
  #byName: Map<string, Observed<any, any>[]> | null = null

  constructor(all: readonly Observed<any, any>[], missed: ReadonlyMap<string, string>) {
    this.byId = new Map(all.map((observed) => [observed.liveId, observed]))
    this.#missed = missed
  }

  /** Made when it is first asked for: what we own is found by its id. */
  get byName(): ReadonlyMap<string, Observed<any, any>[]> {
    this.#byName ??= namesakes(this.byId.values())
    return this.#byName
  }

  unknown(liveId: string | null, name: string): string | null {
    if (this.#missed.size === 0) return null
    return this.#missed.get(liveId ?? name) ?? null
  }
}

function namesakes(all: Iterable<Observed<any, any>>): Map<string, Observed<any, any>[]> {
  const byName = new Map<string, Observed<any, any>[]>()
  for (const observed of all) {
    const known = byName.get(observed.spec.name)
    if (known) known.push(observed)
    else byName.set(observed.spec.name, [observed])
  }
  return byName
}
