import { randomUUID } from 'node:crypto'
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import { inPieces } from '../../../platform/async/time-slices.ts'
import type { Vault } from '../../../platform/secrets/vault.ts'
import type { OpenIntents } from '../../planning/intents.ts'
import { makePreview, type PassOptions, type Preview } from '../../planning/preview.ts'
import type { DesiredState } from '../../reading/desired-state.ts'
import type { LiveSystem } from '../../watching/live-system.ts'
import { observeFor } from '../../watching/observation.ts'
import type { Moves } from '../sources/source-moves.ts'
import { maskPlan } from './plan-masking.ts'
import { rootOf } from '../sources/source-reader.ts'
import type { Sources } from '../sources/sources.ts'
import { outerSync, type SourceState } from '../sources/source-state.ts'

interface Parts {
  sources: Sources
  live: LiveSystem
  moves: Moves
  intents: OpenIntents
  vault: Vault
  clock: Clock
}

/** Changes nothing. */
export type Planner = (source: SourceState, state: DesiredState, options: PassOptions) => Promise<Preview>

export function createPlanner({ sources, live, moves, intents, vault, clock }: Parts): Planner {
  return async (source, state, options) => {
    const inventory = moves.foresee(source, state)
    const making = makePreview({
      id: randomUUID(),
      createdAt: timestamp(clock),
      source: { name: source.name, root: rootOf(source), sync: outerSync(source) },
      state,
      inventory,
      intents,
      live: await observeFor(state, options.only, { live, inventory, intents }),
      reconcilers: live.reconcilers,
      vault,
      options,
    })
    const preview = await inPieces(making)
    const read = [state, ...sources.all().flatMap((each) => each.read ?? [])]
    const specs = read.flatMap(({ resources }) => resources.map(({ spec }) => spec))
    return { ...preview, plan: await inPieces(maskPlan(preview.plan, specs)) }
  }
}
