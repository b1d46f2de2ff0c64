// Runs work in order, regardless of earlier failures.

export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve()
  #left = 0

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#left++
    const done = this.#tail.then(work).finally(() => this.#left--)
    this.#tail = done.catch(() => undefined)
    return done
  }

  get idle(): boolean {
    return this.#left === 0
  }

  /** Waits for work queued before this call. */
  async drained(): Promise<void> {
    await this.#tail
  }
}

/** One serial queue per key; keys run concurrently. */
export class SerialQueues {
  readonly #tails = new Map<string, Promise<unknown>>()

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.runAll([key], work)
  }

  /** Joins all queues at once, so it cannot deadlock. */
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

  /** Waits for work queued before this call. */
  async drained(): Promise<void> {
    await Promise.all(this.#tails.values())
  }
}
