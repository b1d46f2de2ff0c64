// Which directories get summaries, one after the other, beside everything else: nothing waits for them, and nothing fails
// with them.
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

  /** For what is in force of a directory by the time of its turn. */
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
      if (failed > 0) this.#log.warn({ ...about, made, failed, error: reason }, 'chunks are without a summary')
    } catch (error) {
      if (error instanceof WorkerFailure && error.kind === 'Stopped') return
      this.#log.warn({ ...about, error: (error as Error).message }, 'summaries could not be made')
    }
  }
}
