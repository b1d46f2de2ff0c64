// The live system as the controller asks it: one reconciler per kind.
import type { KindDefinition } from '../../schemas/kind.ts'
import type { Identity, Lookup, Observed, Reconciler } from '../reconciler.ts'

export class LiveSystem {
  constructor(
    /** In the order kinds are applied. */
    readonly reconcilers: readonly Reconciler[],
    /** Answers reconcilers out of the inventory. */
    readonly lookup: Lookup,
    /** Aborts when the controller stops. */
    readonly signal: AbortSignal,
  ) {}

  get definitions(): KindDefinition<any>[] {
    return this.reconcilers.map(({ definition }) => definition)
  }

  reconcilerOf(kind: string): Reconciler {
    return this.reconcilers.find(({ definition }) => definition.kind === kind)!
  }

  /** Null when there is no such resource. Throws as `Reconciler.observe` does. */
  observe(
    { kind, name, liveId }: { kind: string } & Identity,
    lookup = this.lookup,
  ): Promise<Observed<any, any> | null> {
    return this.reconcilerOf(kind).observe({ name, liveId }, lookup, this.signal)
  }
}
