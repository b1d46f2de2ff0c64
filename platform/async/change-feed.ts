// Notifies listeners with the key of what changed; listeners read the current state.
import { unexpected } from './unexpected-errors.ts'
import type { Log } from '../core/log/log.ts'

export type Unsubscribe = () => void

export class ChangeFeed<T> {
  readonly #listeners = new Set<(change: T) => void>()
  readonly #log: Pick<Log, 'error'>

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log
  }

  subscribe(listener: (change: T) => void): Unsubscribe {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  get idle(): boolean {
    return this.#listeners.size === 0
  }

  /** A listener that throws affects neither the others nor the caller. */
  publish(change: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(change)
      } catch (error) {
        unexpected(this.#log, 'feed', error)
      }
    }
  }
}
