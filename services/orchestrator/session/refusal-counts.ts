// Counts refused frames of agents since the daemon started.
import type { RefusalReason } from '../../../schemas/frames/refusal.ts'

export class RefusalCounts {
  readonly #counts = new Map<RefusalReason, number>()

  add(reason: RefusalReason): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1)
  }

  get byReason(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }
}
