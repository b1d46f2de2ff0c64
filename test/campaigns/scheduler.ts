// A scheduler by a seed: every call of a service waits until nothing else goes on, and then one of them is let go. What
// order real time would bring about is no part of a history.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { TestClock } from '../../platform/core/clock.ts'
import type { Knex } from '../../platform/database/database.ts'
import type { Random } from '../support/random.ts'

/** Turns of the loop in which nothing moves, until nothing goes on. */
const QUIET_TURNS = 8
/** Virtual milliseconds that pass where something is waited for and nothing goes on. */
const IDLE_MS = 250
/** A history that takes more is one that never ends. */
const MOST_ROUNDS = 20_000

interface Parked {
  label: string
  release(): void
}

export class Scheduler {
  /** What was let go, and when. */
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

  /** Resolves when the call is let go. */
  park(label: string): Promise<void> {
    return new Promise((release) => void this.#parked.push({ label, release }))
  }

  /** Lets calls go, and time pass where none waits, until `work` has ended. */
  async drive<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const ended = work.finally(() => (isOver = true))
    ended.catch(() => undefined)
    for (let round = 0; ; round++) {
      await this.#quiet()
      if (isOver) return ended
      if (round > MOST_ROUNDS) throw new Error('it never ends')
      if (!this.#letGo()) this.#clock.tick(IDLE_MS)
    }
  }

  /** So many virtual milliseconds pass; calls are let go as they come. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1000) {
      await this.settle()
      this.#clock.tick(Math.min(left, 1000))
    }
    await this.settle()
  }

  async settle(): Promise<void> {
    do await this.#quiet()
    while (this.#letGo())
  }

  #letGo(): boolean {
    if (this.#parked.length === 0) return false
    // In an order that no scheduler of promises has a say in.
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

  /** Connections that are asked for or in use. */
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
