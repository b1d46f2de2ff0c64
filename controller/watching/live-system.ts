import type { KindDefinition } from '../../schemas/kind.ts'
import type { Identity, Lookup, Observed, Reconciler } from '../reconciler.ts'

export class LiveSystem {
  constructor(
    /** In the order in which kinds are applied. */
    readonly reconcilers: readonly Reconciler[],
    /** Resolves names and ids from the inventory. */
    readonly lookup: Lookup,
    /** Aborted when the controller stops. */
    readonly signal: AbortSignal,
  ) {}

  get definitions(): KindDefinition<any>[] {
    return this.reconcilers.map(({ definition }) => definition)
  }

  reconcilerOf(kind: string): Reconciler {
    return this.reconcilers.find(({ definition }) => definition.kind === kind)!
  }

  /** Returns null if the resource does not exist. Throws like `Reconciler.observe`. */
  observe(
    { kind, name, liveId }: { kind: string } & Identity,
    lookup = this.lookup,
  ): Promise<Observed<any, any> | null> {
    return this.reconcilerOf(kind).observe({ name, liveId }, lookup, this.signal)
  }
}
