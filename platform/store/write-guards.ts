// Guards that can refuse manual writes.
import type { Written } from './audit.ts'

/** Throws the Problem that refuses the write. */
export type WriteGuard = (write: Omit<Written, 'isFree'>) => void

export class WriteGuards {
  readonly #guards: WriteGuard[] = []

  add(guard: WriteGuard): void {
    this.#guards.push(guard)
  }

  /** Writes by the daemon are never checked. */
  check(write: Omit<Written, 'isFree'>): void {
    if (!isByHand(write)) return
    for (const guard of this.#guards) guard(write)
  }
}

/** Checks the endpoint, because a caller can choose its actor name. */
const isByHand = ({ by }: Pick<Written, 'by'>): boolean => /^[A-Z]+ \//.test(by.endpoint)
