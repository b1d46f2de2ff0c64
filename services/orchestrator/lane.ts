// Runs pieces of work one after the other, each after the one before has ended, however it ended.

export class Lane {
  #tail: Promise<unknown> = Promise.resolve()
  #waiting = 0

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++
    const done = this.#tail.then(work, work).finally(() => this.#waiting--)
    this.#tail = done.catch(() => undefined)
    return done
  }

  /** True while something runs or waits. */
  get busy(): boolean {
    return this.#waiting > 0
  }

  /** Resolves when all that was asked for so far has ended. */
  async drained(): Promise<void> {
    await this.#tail
  }
}
