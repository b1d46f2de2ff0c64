import { dirname, join } from 'node:path'
import type { World } from '../../platform/service/world.ts'
import type { Grepping } from './agentic/process.ts'
import type { Engine, EngineData } from './engine/main.ts'
import { startProcess } from './workers/child-process.ts'
import { Client, WorkerClient } from './workers/rpc.ts'
import { embeddingOf, storeFolder, talkOf, type settings } from './settings.ts'

interface Programs {
  program: string
  weights: string
}

/** JavaScript heap only; typed arrays of the index are not counted. */
const LIMITS = { maxOldGenerationSizeMb: 512 }

/** An idle process uses about 40 MB. */
const IDLE_MS = 300_000

export class IndexWorkers {
  readonly searching: WorkerClient<Engine>
  readonly indexing: WorkerClient<Engine>
  readonly grepping: Client<Grepping>
  readonly weights: string
  readonly summarises: boolean

  constructor(
    { settings: values, config }: Pick<World<typeof settings>, 'settings' | 'config'>,
    { program, weights }: Programs,
  ) {
    this.weights = weights
    const talk = talkOf(values, config)
    this.summarises = talk.summary !== null
    const data: EngineData = {
      folder: storeFolder(values, config),
      store: values.store,
      embedding: embeddingOf(values, config, weights),
      talk,
    }
    this.searching = new WorkerClient<Engine>(program, data, LIMITS)
    this.indexing = new WorkerClient<Engine>(program, data, LIMITS)
    const args = [config.env.PATH ?? '/usr/bin:/bin']
    const start = () => startProcess({ program: join(dirname(program), 'svc-index-grep.js'), args, env: {} })
    this.grepping = new Client<Grepping>('process', start, IDLE_MS)
  }

  async stop(): Promise<void> {
    await Promise.all([this.searching.stop(), this.indexing.stop(), this.grepping.stop()])
  }
}
