// The worker threads of the code index: one that searches, one that indexes. Neither runs before it is needed.
import type { World } from '../../platform/service/world.ts'
import type { Engine, EngineData } from './engine/main.ts'
import { WorkerClient } from './engine/rpc.ts'
import { embeddingOf, storeFolder, talkOf, type settings } from './settings.ts'

interface Programs {
  /** The built program of the threads. */
  program: string
  weights: string
}

/** Megabytes of JavaScript values; numbers of an index stand beside them. */
const LIMITS = { maxOldGenerationSizeMb: 512 }

export class Engines {
  readonly searching: WorkerClient<Engine>
  readonly indexing: WorkerClient<Engine>
  /** File of the builtin embedding. */
  readonly weights: string
  /** Summaries are made. */
  readonly summarises: boolean

  constructor({ settings: values, config }: World<typeof settings>, { program, weights }: Programs) {
    this.weights = weights
    const talk = talkOf(values, config)
    this.summarises = talk.summary !== null
    const data: EngineData = {
      folder: storeFolder(values, config),
      store: values.store,
      embedding: embeddingOf(values, config, weights),
      talk,
      path: config.env.PATH ?? '/usr/bin:/bin',
    }
    this.searching = new WorkerClient<Engine>(program, data, LIMITS)
    this.indexing = new WorkerClient<Engine>(program, data, LIMITS)
  }

  async stop(): Promise<void> {
    await Promise.all([this.searching.stop(), this.indexing.stop()])
  }
}
