// Asked before a write is recorded: who keeps a resource as its manifest says may refuse what somebody does by hand.
import type { Written } from './audit.ts'

/** Throws the Problem that a write is refused with. */
export type WriteGuard = (write: Omit<Written, 'isFree'>) => void

export class WriteGuards {
  readonly #guards: WriteGuard[] = []

  add(guard: WriteGuard): void {
    this.#guards.push(guard)
  }

  /** Throws where one of them refuses. What the daemon does by itself is never asked about. */
  check(write: Omit<Written, 'isFree'>): void {
    if (!isByHand(write)) return
    for (const guard of this.#guards) guard(write)
  }
}

/** Writes of our own have the name of a part in the place of an endpoint, whatever name their actor gives itself. */
const isByHand = ({ by }: Pick<Written, 'by'>): boolean => /^[A-Z]+ \//.test(by.endpoint)
