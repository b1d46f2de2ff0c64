// Reads sources before the turn, with other sources that resources may have moved to.
import type { Clock } from '../../../platform/core/clock.ts'
import type { PassOptions } from '../../planning/preview.ts'
import type { DesiredState } from '../../reading/desired-state.ts'
import type { DependentSources } from '../../watching/dependent-sources.ts'
import type { Dirty } from '../../watching/dirty-resources.ts'
import type { DesiredStates } from './desired-states.ts'
import type { Moves } from './source-moves.ts'
import type { SourceState } from './source-state.ts'
import type { Sources } from './sources.ts'

/** Limit on the wait of an automatic pass for other folders. */
const OTHERS_MS = 2000

interface Parts {
  clock: Clock
  sources: Sources
  desired: DesiredStates
  moves: Moves
  dependents: DependentSources
  dirty: Dirty
}

export class PassReading {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Before a deletion, also refreshes and reads other sources, because the resource may have moved there. False if one
   * is unsettled or slow: nothing may be deleted yet.
   */
  async read(source: SourceState, { automatic, asRead }: PassOptions, fresh: boolean): Promise<boolean> {
    const { sources, desired, moves, dependents, clock } = this.#parts
    dependents.beginRead(source.name)
    if (!source.reader) return true
    const state = (asRead && source.read) || (await desired.ofSource(source, { fresh }))
    for (const other of sources.all()) if (other !== source) await desired.recall(other)
    if (moves.vanishing(source, state).length === 0) return true
    const others = sources.all().filter((other) => other.reader && other !== source)
    const readOther = async (other: SourceState) => {
      await (automatic ? desired.refreshAfter(source, state, other) : desired.refresh(other).catch(() => undefined))
      return desired.ofSource(other)
    }
    const read = Promise.allSettled(others.map(readOther)).then(() => true)
    if (!automatic) return read
    return Promise.race([read, new Promise<false>((resolve) => clock.after(OTHERS_MS, () => resolve(false)))])
  }

  /** Call in the turn. Records the state and hands over moved resources. */
  async takeRead(source: SourceState, { automatic, asRead }: PassOptions): Promise<DesiredState> {
    const { sources, desired, moves, dependents, dirty } = this.#parts
    const state = source.reader ? source.read! : await desired.ofSent(source)
    const isKnown = automatic && asRead && state === dirty.stateOf(source.name)
    if (!isKnown) await sources.recordRead(source, state)
    dependents.endRead(source.name, state)
    await moves.settle(source, state)
    return state
  }
}
