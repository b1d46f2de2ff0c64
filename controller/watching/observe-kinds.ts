// Everything that is live of every kind, observed at once.
import type { LiveKind } from '../planning/facts.ts'
import type { Lookup, Observed, Reconciler } from '../reconciler.ts'

/** By kind, in the order of `reconcilers`. */
export async function observeKinds(
  reconcilers: readonly Reconciler[],
  lookup: Lookup,
  signal: AbortSignal,
): Promise<Map<string, LiveKind>> {
  const kinds = new Map<string, LiveKind>()
  for (const reconciler of reconcilers)
    kinds.set(reconciler.definition.kind, new Indexed(await reconciler.observeAll(lookup, signal)))
  return kinds
}

class Indexed implements LiveKind {
  readonly byId: ReadonlyMap<string, Observed<any, any>>
  #byName: Map<string, Observed<any, any>[]> | null = null

  constructor(all: readonly Observed<any, any>[]) {
    this.byId = new Map(all.map((observed) => [observed.liveId, observed]))
  }

  /** Made when it is first asked for: what we own is found by its id. */
  get byName(): ReadonlyMap<string, Observed<any, any>[]> {
    this.#byName ??= namesakes(this.byId.values())
    return this.#byName
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
