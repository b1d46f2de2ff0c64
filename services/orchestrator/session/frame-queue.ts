// Serializes an agent's frames and REST calls. While the database refuses writes, the frame is retried and calls are
// refused.
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import { unexpected } from '../../../platform/async/unexpected-errors.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { storageProblem } from '../../../platform/database/database.ts'
import type { World } from '../../../platform/service/world.ts'

const RETRY_MS = 1000

export interface FrameQueueWorld extends Pick<World, 'clock' | 'log'> {
  /** Aborted on stop; database failures are then not retried. */
  readonly stopping: AbortSignal
}

interface Stall {
  reason: Error
  retry(): void
}

export class FrameQueue {
  readonly #queue = new SerialQueue()
  #stall: Stall | null = null
  readonly #waiting = new Set<(reason: Error) => void>()
  readonly #agentId: string
  readonly #world: FrameQueueWorld

  constructor(agentId: string, world: FrameQueueWorld) {
    this.#agentId = agentId
    this.#world = world
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work)
  }

  /** Retries `work` while the database refuses writes; logs other failures. Never rejects. */
  take(work: () => Promise<unknown>): Promise<void> {
    return this.#queue
      .run(() => this.#persist(work))
      .catch((error: unknown) => {
        const facts = { agent_id: this.#agentId }
        // Expected: the agent may have been removed.
        if (error instanceof Problem)
          this.#world.log.error({ ...facts, error: error.message }, 'failed to process a frame')
        else unexpected(this.#world.log, 'frame', error, facts)
      })
  }

  /** Throws without running `work` if the queue stalls first. */
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

  retry(): void {
    this.#stall?.retry()
  }

  drained(): Promise<void> {
    return this.#queue.drained()
  }

  async #persist(work: () => Promise<unknown>): Promise<void> {
    try {
      for (;;) {
        try {
          await work()
          return
        } catch (error) {
          const reason = error instanceof Problem && error.status === 503 ? error : storageProblem(error)
          if (this.#world.stopping.aborted || !reason) throw error
          this.#world.log.error({ agent_id: this.#agentId, error: reason.message }, 'frame waiting for the database')
          await this.#pause(reason)
        }
      }
    } finally {
      this.#stall = null
    }
  }

  /** Rejects calls; resolves after a second or on `retry`. */
  #pause(reason: Error): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#world.clock.after(RETRY_MS, resolve)
      const retry = () => {
        timer.cancel()
        resolve()
      }
      this.#stall = { reason, retry }
      for (const refuse of this.#waiting) refuse(reason)
    })
  }
}
