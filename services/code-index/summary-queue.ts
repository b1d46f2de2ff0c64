// Makes summaries in the background; failures are only logged.
import { SerialQueue } from '../../platform/async/serial-queue.ts'
import type { Log } from '../../platform/core/log/log.ts'
import { WorkerFailure } from './workers/rpc.ts'
import type { IndexWorkers } from './index-workers.ts'

interface Place {
  name: string
  root: string
}

export class SummaryQueue {
  readonly #log: Log
  readonly #workers: IndexWorkers
  readonly #queue = new SerialQueue()
  readonly #wanted = new Set<string>()
  readonly counts = { made: 0, failed: 0 }

  constructor(log: Log, workers: IndexWorkers) {
    this.#log = log
    this.#workers = workers
  }

  /** Summarises the index that is current when the queue reaches it. */
  want({ name, root }: Place): void {
    if (!this.#workers.summarises || this.#wanted.has(root)) return
    this.#wanted.add(root)
    void this.#queue.run(() => this.#make({ name, root }))
  }

  async drained(): Promise<void> {
    await this.#queue.drained()
  }

  async #make({ name, root }: Place): Promise<void> {
    this.#wanted.delete(root)
    const about = { repository: name }
    try {
      const outcome = await this.#workers.indexing.call('summarise', root)
      if (outcome === null) return
      const { made, failed, reason } = outcome
      this.counts.made += made
      this.counts.failed += failed
      if (failed > 0) this.#log.warn({ ...about, made, failed, error: reason }, 'failed to summarise chunks')
    } catch (error) {
      if (error instanceof WorkerFailure && error.kind === 'Stopped') return
      this.#log.warn({ ...about, error: (error as Error).message }, 'failed to create summaries')
    }
  }
}
