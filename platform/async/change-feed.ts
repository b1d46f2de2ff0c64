// Tells listeners at once that something changed. Carries keys only: who listens reads the state anew.
import { unexpected } from './unexpected-errors.ts'
import type { Log } from '../core/log/log.ts'

export type Unsubscribe = () => void

export class ChangeFeed<T> {
  readonly #listeners = new Set<(change: T) => void>()
  readonly #log: Pick<Log, 'error'>

  /** `log` gets what listeners throw. */
  constructor(log: Pick<Log, 'error'>) {
    this.#log = log
  }

  subscribe(listener: (change: T) => void): Unsubscribe {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** True while nobody listens. */
  get idle(): boolean {
    return this.#listeners.size === 0
  }

  /**
   * Calls every listener in turn; one that throws keeps neither the others from hearing nor the caller from going
   * on.
   */
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
