// Runs pieces of work one after the other, each after the one before has ended, however it ended.

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
