// A timer that retries its callback until it succeeds.
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import type { Timer } from '../../../platform/core/clock.ts'
import type { TriggerWorld } from './triggers/contract.ts'

/** Clock checks are frequent because the clock may be set. */
const CHECK_MS = 60_000
const AGAIN_MS = 10_000

export class Alarm {
  readonly #world: Pick<TriggerWorld, 'clock' | 'report'>
  readonly #ring: (due: number) => Promise<void>
  readonly #rings = new SerialQueue()
  #timer: Timer | null = null
  #due: number | null = null
  #stopped = false

  constructor(world: Pick<TriggerWorld, 'clock' | 'report'>, ring: (due: number) => Promise<void>) {
    this.#world = world
    this.#ring = ring
  }

  /** Milliseconds since 1970. */
  get due(): number | null {
    return this.#due
  }

  /** Null cancels. */
  set(due: number | null): void {
    this.#timer?.cancel()
    this.#due = this.#stopped ? null : due
    if (this.#due !== null) this.#wait(this.#due - this.#world.clock.now())
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.set(null)
    await this.#rings.drained()
  }

  #wait(ms: number): void {
    if (ms <= 0) this.#check()
    else this.#timer = this.#world.clock.after(Math.min(ms, CHECK_MS), () => this.#check())
  }

  #check(): void {
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
