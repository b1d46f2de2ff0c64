// The daemon's previews: desired as it was just read, the inventory as it stands, live as it is observed now.
import { randomUUID } from 'node:crypto'
import { timestamp, type Clock } from '../../platform/clock.ts'
import { inPieces } from '../../platform/async/pieces.ts'
import type { SpecMasker } from '../planning/masking.ts'
import type { OwnedResources } from '../planning/owned.ts'
import { previewed, type PassOptions, type Preview } from '../planning/preview.ts'
import type { DesiredState } from '../reading/desired.ts'
import type { Lookup, Reconciler } from '../reconciler.ts'
import { observeKinds } from '../watching/observe-kinds.ts'
import { outerSync, type SourceState } from './sources.ts'

interface Parts {
  reconcilers: readonly Reconciler[]
  inventory: OwnedResources
  masker: SpecMasker
  lookup: Lookup
  clock: Clock
  signal: AbortSignal
}

export class Planner {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** What would change; changes nothing. */
  async preview(source: SourceState, state: DesiredState, options: PassOptions): Promise<Preview> {
    const { reconcilers, inventory, masker, lookup, clock, signal } = this.#parts
    const live = await observeKinds(reconcilers, lookup, signal)
    const made = previewed({
      id: randomUUID(),
      createdAt: timestamp(clock),
      source: { name: source.name, root: source.location, sync: outerSync(source) },
      state,
      inventory,
      live,
      reconcilers,
      masker,
      options,
    })
    return inPieces(made)
  }
}
