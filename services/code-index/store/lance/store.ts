// Stores chunks in a LanceDB table, run by a separate process; a file per directory records the current rows.
import { availableParallelism } from 'node:os'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startProcess } from '../../workers/child-process.ts'
import { Client, WorkerFailure } from '../../workers/rpc.ts'
import { CurrentGenerations, replace } from '../current-generation.ts'
import type { ChunkStore, Generation, GenerationAbout, GenerationWriter } from '../port.ts'
import { byLevel } from '../rows.ts'
import { readGeneration, type LanceGeneration } from './generation.ts'
import { heldOf, runsOf, tablesInForce } from './held.ts'
import type { Lance } from './process.ts'
import { LanceWriter } from './writer.ts'

/** Increment when older tables become unreadable: it forces a new index. */
const FORMAT = 1
/** An idle process uses about 150 MB. */
const IDLE_MS = 300_000
const READY_DEADLINE_MS = 60_000
const TIDY_DEADLINE_MS = 600_000

export interface LanceOptions {
  folder: string
  table: string
  program: string
}

export class LanceStore implements ChunkStore {
  readonly kind = 'lancedb'
  readonly #client: Client<Lance>
  readonly #current: CurrentGenerations
  /** Generation of each directory at its last cleanup. */
  readonly #tidied = new Map<string, number>()
  readonly #written = new Map<string, string>()

  constructor({ folder, table, program }: LanceOptions) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const env = {
      // With fewer threads, LanceDB deadlocks.
      LANCE_CPU_THREADS: String(Math.max(4, availableParallelism())),
      // Otherwise it logs a line per query.
      LANCEDB_LOG: 'error',
    }
    const start = () => startProcess({ program, args: [folder, table], env })
    this.#client = new Client<Lance>('process', start, IDLE_MS)
    this.#current = new CurrentGenerations(join(folder, `${table}.generations`), FORMAT)
  }

  /** Null if LanceDB can be loaded, otherwise the reason. */
  async whyNot(): Promise<string | null> {
    try {
      await this.#client.call('ready', null, { deadlineMs: READY_DEADLINE_MS })
      return null
    } catch (error) {
      if (error instanceof WorkerFailure && error.kind === 'Stopped') throw error
      return (error as Error).message.split('\n')[0]!
    }
  }

  async open(root: string, how = { words: true }): Promise<Generation | null> {
    const held = heldOf(this.#current, root)
    if (held === null) return null
    const read = () => readGeneration(this.#client, held, how)
    try {
      // Retried once, in case the table was compacted meanwhile.
      return await read().catch(read)
    } catch (error) {
      if (error instanceof WorkerFailure && error.kind !== 'Error') throw error
      return null
    }
  }

  about(root: string): GenerationAbout | null {
    return heldOf(this.#current, root)?.about ?? null
  }

  async begin(
    about: Pick<GenerationAbout, 'root' | 'model' | 'recipe'>,
    old: Generation | null,
  ): Promise<GenerationWriter> {
    const { root } = about
    const before = heldOf(this.#current, root)
    const next = before?.next ?? 0
    const generation = this.#current.next(root)
    const beginning = { root, dim: about.model.dim, from: next, before: before?.table ?? null }
    const table = await this.#client.call('begin', beginning, { deadlineMs: TIDY_DEADLINE_MS })
    this.#written.set(root, table)
    const rows = byLevel(() => 0)
    const path = join(this.#current.home(root), `${generation}.json`)
    return new LanceWriter(
      this.#client,
      { ...about, generation, rows, files: [] },
      {
        old: old as LanceGeneration | null,
        table,
        next,
        publish: (held) => {
          mkdirSync(this.#current.home(root), { recursive: true, mode: 0o700 })
          replace(path, JSON.stringify(held))
          this.#current.set(root, generation)
        },
      },
    )
  }

  async tidy(root: string): Promise<void> {
    const held = heldOf(this.#current, root)
    if (held === null || this.#tidied.get(root) === held.about.generation) return
    this.#current.tidy(root)
    const { table } = held
    const kept = runsOf(held).map(({ range }) => range)
    const inForce = tablesInForce(this.#current)
    const used = inForce && [...inForce, ...this.#written.values()]
    await this.#client.call('tidy', { root, table, kept, used }, { deadlineMs: TIDY_DEADLINE_MS })
    this.#tidied.set(root, held.about.generation)
  }

  async close(): Promise<void> {
    await this.#client.stop()
  }
}
