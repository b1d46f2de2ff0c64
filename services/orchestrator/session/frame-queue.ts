// The queue of one agent's frames and of the REST calls for it; it can stall, and then refuses the calls.
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import type { Clock } from '../../../platform/core/clock.ts'

interface Stall {
  reason: Error
  /** Tries again at once. */
  retry(): void
}

export class FrameQueue {
  readonly #queue = new SerialQueue()
  #stall: Stall | null = null
  /** Calls that wait for their turn, and how to refuse them. */
  readonly #waiting = new Set<(reason: Error) => void>()

  /** Runs `work` in its turn, however long that takes. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work)
  }

  /** Runs `work` in its turn. When the queue stalls before that, throws the reason and leaves the work undone. */
  async call<T>(work: () => Promise<T>): Promise<T> {
    if (this.#stall) throw this.#stall.reason
    let refused: Error | null = null
    let reject: (reason: Error) => void = () => undefined
    const refusal = new Promise<never>((_resolve, refuse) => (reject = refuse))
    const refuse = (reason: Error) => {
      refused = reason
      reject(reason)
    }
    this.#waiting.add(refuse)
    const done = this.#queue.run(async () => {
      this.#waiting.delete(refuse)
      if (refused) throw refused
      return work()
    })
    done.catch(() => undefined)
    return Promise.race([done, refusal]).finally(() => this.#waiting.delete(refuse))
  }

  /** The work in hand cannot go on for `reason`: refuses who waits, and resolves after `ms`, or at once on `retry`. */
  stall(reason: Error, clock: Clock, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.after(ms, resolve)
      this.#stall = {
        reason,
        retry: () => {
          timer.cancel()
          resolve()
        },
      }
      for (const refuse of this.#waiting) refuse(reason)
    })
  }

  /** The work that stalled has come to its end. */
  recovered(): void {
    this.#stall = null
  }

  /** Ends the pause of a stall. */
  retry(): void {
    this.#stall?.retry()
  }

  drained(): Promise<void> {
    return this.#queue.drained()
  }
}
