// Tells listeners at once that something changed. Carries keys only: who listens reads the state anew.

export type Unsubscribe = () => void

export class ChangeFeed<T> {
  readonly #listeners = new Set<(change: T) => void>()

  subscribe(listener: (change: T) => void): Unsubscribe {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Calls every listener in turn; one that throws does not keep the others from hearing. */
  publish(change: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(change)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
