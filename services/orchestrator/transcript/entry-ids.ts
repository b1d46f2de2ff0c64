import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../platform/core/clock.ts'

const MOST_COUNT = 0xfff

/** Ids (UUID version 7) that sort in the order of their creation, even if the clock is set back. */
export class EntryIds {
  readonly #clock: Pick<Clock, 'now'>
  #ms = 0
  #count = 0

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Later ids sort after `id`. */
  continueAfter(id: string): void {
    const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
    const count = Number.parseInt(id.slice(15, 18), 16)
    if (ms > this.#ms || (ms === this.#ms && count > this.#count)) [this.#ms, this.#count] = [ms, count]
  }

  next(): string {
    const now = this.#clock.now()
    if (now > this.#ms) [this.#ms, this.#count] = [now, 0]
    else if (this.#count < MOST_COUNT) this.#count++
    else [this.#ms, this.#count] = [this.#ms + 1, 0]
    const time = this.#ms.toString(16).padStart(12, '0')
    const count = this.#count.toString(16).padStart(3, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${randomUUID().slice(19)}`
  }
}
