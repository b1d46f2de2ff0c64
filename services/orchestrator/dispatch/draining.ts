import { unavailable } from '../../../platform/core/problem.ts'
import type { FrameQueueWorld } from '../session/frame-queue.ts'

export class Draining {
  readonly #world: Pick<FrameQueueWorld, 'clock' | 'stopping'>
  #until: number | null = null

  constructor(world: Pick<FrameQueueWorld, 'clock' | 'stopping'>) {
    this.#world = world
  }

  get active(): boolean {
    return this.#world.stopping.aborted || this.#drains
  }

  /** `until`: milliseconds since 1970. */
  begin(until: number): void {
    this.#until = until
  }

  end(): void {
    this.#until = null
  }

  /** Throws 503 while a drain is active. */
  refuse(): void {
    if (this.#drains)
      throw unavailable(
        'the daemon is draining before a stop and accepts no tasks: try again when it is back',
        'draining',
      )
  }

  get #drains(): boolean {
    return this.#until !== null && this.#world.clock.now() < this.#until
  }
}
