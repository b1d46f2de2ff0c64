/** Time after which keys and buttons of a request wake, in milliseconds. */
export const WAKE_MS = 400

/**
 * Refuses decisions on a request that has just appeared: the key press was meant for another request, or for none.
 */
export class DecisionGate {
  #shown: { id: string; at: number } | null = null

  /** Records the request on screen. `at`: milliseconds of a monotonic clock. */
  show(id: string, at: number): void {
    if (this.#shown?.id !== id) this.#shown = { id, at }
  }

  /** No request is on screen. The next one is asleep too. */
  clear(at: number): void {
    this.#shown = { id: '', at }
  }

  isAwake(id: string, at: number): boolean {
    return this.#shown?.id === id && at - this.#shown.at >= WAKE_MS
  }

  /** Milliseconds until the request on screen wakes. */
  sleepLeft(at: number): number {
    return this.#shown === null ? 0 : Math.max(WAKE_MS - (at - this.#shown.at), 0)
  }
}
