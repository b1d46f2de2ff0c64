import type { KindDefinition } from '../../schemas/kind.ts'
import type { Identity, Lookup, Observed, Reconciler } from '../reconciler.ts'

export class LiveSystem {
  constructor(
    /** In apply order. */
    readonly reconcilers: readonly Reconciler[],
    readonly lookup: Lookup,
    readonly signal: AbortSignal,
  ) {}

  get definitions(): KindDefinition<any>[] {
    return this.reconcilers.map(({ definition }) => definition)
  }

  reconcilerOf(kind: string): Reconciler {
    return this.reconcilers.find(({ definition }) => definition.kind === kind)!
  }

  /** Null if the resource does not exist. Throws like `Reconciler.observe`. */
  observe(
    { kind, name, liveId }: { kind: string } & Identity,
    lookup = this.lookup,
  ): Promise<Observed<any, any> | null> {
    return this.reconcilerOf(kind).observe({ name, liveId }, lookup, this.signal)
  }
}
