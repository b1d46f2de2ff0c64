// Runs pieces of work one after the other, each after the one before has ended, however it ended; in one queue, or in
// one a key.

export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve()
  #left = 0

  /** Runs `work` when all that was asked for before has ended; settles as `work` does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.#left++
    const done = this.#tail.then(work).finally(() => this.#left--)
    this.#tail = done.catch(() => undefined)
    return done
  }

  /** True when nothing runs or waits. */
  get idle(): boolean {
    return this.#left === 0
  }

  /** Resolves when all that was asked for so far has ended. */
  async drained(): Promise<void> {
    await this.#tail
  }
}

/** A serial queue a key: work of different keys goes on side by side. */
export class SerialQueues {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** Runs `work` when all that was asked for under this key before has ended; settles as `work` does. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.runAll([key], work)
  }

  /** The same under several keys at once. Nothing waits in a circle: it stands in all the queues from the beginning. */
  runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = keys.map((key) => this.#tails.get(key) ?? Promise.resolve())
    const done = Promise.all(before).then(work)
    const tail = done.then(
      () => undefined,
      () => undefined,
    )
    for (const key of keys) this.#tails.set(key, tail)
    void tail.then(() => {
      for (const key of keys) if (this.#tails.get(key) === tail) this.#tails.delete(key)
    })
    return done
  }

  /** Resolves when all that was asked for so far has ended. */
  async drained(): Promise<void> {
    await Promise.all(this.#tails.values())
  }
}
