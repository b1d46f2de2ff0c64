// A deterministic scheduler: service calls wait until everything else is idle, then the seed selects one to continue.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { TestClock } from '../../platform/core/clock.ts'
import type { Knex } from '../../platform/database/database.ts'
import type { Random } from '../support/random.ts'

/** Event-loop turns without activity that count as idle. */
const QUIET_TURNS = 8
/** Virtual milliseconds to advance if no call is waiting. */
const IDLE_MS = 250
const MOST_ROUNDS = 20_000

interface Parked {
  label: string
  release(): void
}

export class Scheduler {
  /** Released calls with their times. */
  readonly trace: string[] = []
  readonly #random: Random
  readonly #clock: TestClock
  readonly #parked: Parked[] = []
  #onLoan = 0

  constructor(random: Random, clock: TestClock, db: Knex) {
    this.#random = random
    this.#clock = clock
    this.#count(db)
  }

  note(what: string): void {
    this.trace.push(`${this.#clock.monotonic()} ${what}`)
  }

  /** Resolves when the call may continue. */
  park(label: string): Promise<void> {
    return new Promise((release) => void this.#parked.push({ label, release }))
  }

  /** Releases calls and advances the clock until `work` has ended. */
  async drive<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const ended = work.finally(() => (isOver = true))
    ended.catch(() => undefined)
    for (let round = 0; ; round++) {
      await this.#quiet()
      if (isOver) return ended
      if (round > MOST_ROUNDS) throw new Error(`not finished after ${MOST_ROUNDS} rounds`)
      if (!this.#release()) this.#clock.tick(IDLE_MS)
    }
  }

  /** Advances the clock and releases calls. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1000) {
      await this.settle()
      this.#clock.tick(Math.min(left, 1000))
    }
    await this.settle()
  }

  async settle(): Promise<void> {
    do await this.#quiet()
    while (this.#release())
  }

  #release(): boolean {
    if (this.#parked.length === 0) return false
    // The choice must not depend on promise order.
    this.#parked.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0))
    const [chosen] = this.#parked.splice(this.#random.whole(this.#parked.length), 1)
    this.note(chosen!.label)
    chosen!.release()
    return true
  }

  async #quiet(): Promise<void> {
    for (let still = 0; still < QUIET_TURNS; still++) {
      await turnOfTheLoop()
      if (this.#onLoan > 0) still = -1
    }
  }

  /** Counts connections in use or requested. */
  #count({ client }: Knex): void {
    const { acquireConnection, releaseConnection } = client as Record<string, (...args: unknown[]) => Promise<unknown>>
    client.acquireConnection = async (...args: unknown[]) => {
      this.#onLoan++
      return acquireConnection!.apply(client, args).catch((error: unknown) => {
        this.#onLoan--
        throw error
      })
    }
    client.releaseConnection = (...args: unknown[]) => {
      this.#onLoan--
      return releaseConnection!.apply(client, args)
    }
  }
}
