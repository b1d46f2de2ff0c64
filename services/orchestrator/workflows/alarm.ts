// A trigger's alarm: rings at a time, however far off, and rings again until what it is for is done.
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import type { Timer } from '../../../platform/core/clock.ts'
import type { TriggerWorld } from './triggers/contract.ts'

/** Longest stretch without a look at the clock, which somebody may have set. */
const LOOK_MS = 60_000
const AGAIN_MS = 10_000

export class Alarm {
  readonly #world: Pick<TriggerWorld, 'clock' | 'report'>
  readonly #ring: (due: number) => Promise<void>
  readonly #rings = new SerialQueue()
  #timer: Timer | null = null
  #due: number | null = null
  #stopped = false

  /** `ring` is called when a time has come, and again after ten seconds when it failed, which is reported. */
  constructor(world: Pick<TriggerWorld, 'clock' | 'report'>, ring: (due: number) => Promise<void>) {
    this.#world = world
    this.#ring = ring
  }

  /** When it rings, in milliseconds since 1970; null while it is not set. */
  get due(): number | null {
    return this.#due
  }

  /** Sets it to a time in place of a former one; null: it rings no more. */
  set(due: number | null): void {
    this.#timer?.cancel()
    this.#due = this.#stopped ? null : due
    if (this.#due !== null) this.#wait(this.#due - this.#world.clock.now())
  }

  /** Resolves when it rings no more. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.set(null)
    await this.#rings.drained()
  }

  #wait(ms: number): void {
    if (ms <= 0) this.#look()
    else this.#timer = this.#world.clock.after(Math.min(ms, LOOK_MS), () => this.#look())
  }

  #look(): void {
    const due = this.#due
    if (due === null) return
    const left = due - this.#world.clock.now()
    if (left > 0) return this.#wait(left)
    void this.#rings.run(async () => {
      if (this.#due !== due) return
      try {
        await this.#ring(due)
      } catch (error) {
        this.#world.report(error as Error)
        if (this.#due === due) this.#wait(AGAIN_MS)
      }
    })
  }
}
