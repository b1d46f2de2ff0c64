// A daemon that takes no more work, until a time or because it stops.
import { unavailable } from '../../../platform/core/problem.ts'
import type { FrameQueueWorld } from '../session/frame-queue.ts'

export class Draining {
  readonly #world: Pick<FrameQueueWorld, 'clock' | 'stopping'>
  #until: number | null = null

  constructor(world: Pick<FrameQueueWorld, 'clock' | 'stopping'>) {
    this.#world = world
  }

  /** True while no more work is taken. */
  get active(): boolean {
    return this.#world.stopping.aborted || this.#drains
  }

  /** `until` in milliseconds since 1970. */
  begin(until: number): void {
    this.#until = until
  }

  end(): void {
    this.#until = null
  }

  /** Throws 503 from `begin` on, until `end` or the time it was given. */
  refuse(): void {
    if (this.#drains)
      throw unavailable(
        'the daemon takes no more tasks: it is about to be stopped; try again when it is back',
        'draining',
      )
  }

  get #drains(): boolean {
    return this.#until !== null && this.#world.clock.now() < this.#until
  }
}
