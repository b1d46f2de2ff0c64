// The daemon's previews: desired as it was just read, the inventory as it stands, live as it is observed now.
import { randomUUID } from 'node:crypto'
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import { inPieces } from '../../../platform/async/time-slices.ts'
import type { OpenIntents } from '../../planning/intents.ts'
import { previewed, type PassOptions, type Preview } from '../../planning/preview.ts'
import type { DesiredState } from '../../reading/desired.ts'
import type { Lookup, Reconciler } from '../../reconciler.ts'
import { foreseen } from '../../watching/adoption-names.ts'
import { observeKinds, observeSome } from '../../watching/observation.ts'
import type { Moves } from '../sources/source-moves.ts'
import { rootOf } from '../sources/source-reader.ts'
import { outerSync } from '../sources/sources.ts'
import type { SourceState } from '../sources/source-state.ts'
import type { Vault } from '../../../platform/secrets/vault.ts'

interface Parts {
  reconcilers: readonly Reconciler[]
  moves: Moves
  intents: OpenIntents
  vault: Vault
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
    const { reconcilers, moves, intents, vault, lookup, clock, signal } = this.#parts
    const inventory = moves.foreseen(source, state)
    const { only } = options
    const observe = (as: Lookup) =>
      only
        ? observeSome(only, { reconcilers, inventory, intents, lookup: as, signal })
        : observeKinds(reconcilers, as, signal)
    const found = await observe(lookup)
    // What refers to a resource that is to be adopted refers to it by the name that it will have.
    const adopting = foreseen(lookup, { state, only, inventory, live: found })
    const live = adopting ? await observe(adopting) : found
    const made = previewed({
      id: randomUUID(),
      createdAt: timestamp(clock),
      source: { name: source.name, root: rootOf(source), sync: outerSync(source) },
      state,
      inventory,
      intents,
      live,
      reconcilers,
      vault,
      options,
    })
    return inPieces(made)
  }
}
