// A commit is taken whole or not at all: what stays in force where the newest has faults, and what is wrong with that.
import type { DesiredState } from '../desired.ts'

export class Composed {
  #last: { tried: DesiredState; base: DesiredState | null; state: DesiredState } | null = null

  /** `base`: what is in force in place of what was tried; null: nothing. The same object again for the same two. */
  of(tried: DesiredState, base: DesiredState | null): DesiredState {
    const last = this.#last
    if (last?.tried === tried && last.base === base) return last.state
    const state: DesiredState = {
      ...(base ?? { revision: '', resources: [], sync: tried.sync }),
      diagnostics: tried.diagnostics,
      complete: false,
      attempted: tried.revision,
    }
    this.#last = { tried, base, state }
    return state
  }
}
