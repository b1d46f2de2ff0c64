// A daemon that takes no more work, until a time.
import type { Clock } from '../../../platform/core/clock.ts'
import { unavailable } from '../../../platform/core/problem.ts'

export class Draining {
  readonly #clock: Clock
  #until: number | null = null

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  /** True while no more work is taken. */
  get active(): boolean {
    return this.#until !== null && this.#clock.now() < this.#until
  }

  /** `until` in milliseconds since 1970. */
  begin(until: number): void {
    this.#until = until
  }

  end(): void {
    this.#until = null
  }

  /** Throws 503 while no more work is taken. */
  refuse(): void {
    if (this.active)
      throw unavailable(
        'the daemon takes no more tasks: it is about to be stopped; try again when it is back',
        undefined,
        'draining',
      )
  }
}
