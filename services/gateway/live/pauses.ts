import type { Clock } from '../../../platform/core/clock.ts'

const SHORTEST_MS = 1000
const LONGEST_MS = 30_000

/** Topics whose records cannot be read now, with exponential backoff. */
export class Pauses {
  readonly #clock: Clock
  /** By topic. */
  readonly #paused = new Map<string, { ms: number; until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  readonly has = (topic: string): boolean => this.#clock.monotonic() < (this.#paused.get(topic)?.until ?? 0)

  /** Twice as long as the pause before, unless that was deleted. */
  add(topic: string): void {
    const before = this.#paused.get(topic)
    const ms = before === undefined ? SHORTEST_MS : Math.min(2 * before.ms, LONGEST_MS)
    this.#paused.set(topic, { ms, until: this.#clock.monotonic() + ms })
  }

  delete(topic: string): void {
    this.#paused.delete(topic)
  }
}
