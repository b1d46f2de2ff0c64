// Other sources that are elsewhere, asked whether they have something newer: once for each revision that lets something go.
import type { DesiredState } from '../../reading/desired.ts'
import type { SourceState } from './source-state.ts'

export class Refreshed {
  readonly #refresh: (source: SourceState) => Promise<void>
  /** By the name of the source that was read: its revision, and who was asked since. */
  readonly #asked = new Map<string, { revision: string; others: Map<SourceState, Promise<void>> }>()

  constructor(refresh: (source: SourceState) => Promise<void>) {
    this.#refresh = refresh
  }

  /**
   * Resolves when `other` was asked after `source` was first read at this revision. Who cannot be asked, or has nothing
   * newer, stays as it was read last. A slow one is asked once, however often somebody comes for its answer.
   */
  since(source: SourceState, { revision }: DesiredState, other: SourceState): Promise<void> {
    let asked = this.#asked.get(source.name)
    if (asked?.revision !== revision) this.#asked.set(source.name, (asked = { revision, others: new Map() }))
    const known = asked.others.get(other)
    if (known) return known
    const answered = this.#refresh(other).catch(() => undefined)
    asked.others.set(other, answered)
    return answered
  }
}
