// Prepares files, on two threads if there are many, and returns them in order.
import type { OpenTree } from '../../../platform/files/open-file.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { prepare, unpack, type Packed, type PreparedChunk, type Preparing, type SourceOf } from './prepare.ts'

export interface Helper {
  /** Throws if the thread has ended. */
  prepare(job: OpenTree & { embeds: boolean; files: SourceOf[] }): Promise<Packed>
  stop(): Promise<void>
}

const PIECE = 16
/** Messages queued at the second thread, so that it is never idle. */
const AHEAD = 2
/** Pieces prepared ahead of the consumer. */
const MOST_WAITING = 8
/** With fewer files, starting a thread is not worth it. */
const LEAST_FILES = 200

export class Preparation {
  readonly #preparing: Preparing
  readonly #pieces: SourceOf[][]
  readonly #helper: Helper | null
  readonly #prepared = new Map<number, Promise<PreparedChunk[][]>>()
  readonly #done = new Set<number>()
  #isStopped = false
  #next = 0
  #away = 0

  constructor(preparing: Preparing, files: readonly SourceOf[], newHelper: (() => Helper) | null) {
    this.#preparing = preparing
    const count = Math.ceil(files.length / PIECE)
    this.#pieces = Array.from({ length: count }, (_each, at) => files.slice(at * PIECE, (at + 1) * PIECE))
    this.#helper = files.length >= LEAST_FILES && newHelper ? newHelper() : null
  }

  /** Yields the chunks of each file in order; call `stop` at the end. */
  async *all(): AsyncGenerator<PreparedChunk[]> {
    for (const at of this.#pieces.keys()) {
      this.#handOut(at)
      const piece = this.#prepared.get(at) ?? this.#take(at)
      await turn()
      // Prepares later pieces while the second thread works on this one.
      while (!this.#done.has(at) && this.#next < this.#pieces.length && this.#next - at < MOST_WAITING) {
        await this.#take(this.#next)
        this.#handOut(at)
      }
      for (const chunks of await piece) yield chunks
      this.#prepared.delete(at)
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#helper?.stop()
  }

  #handOut(at: number): void {
    if (this.#helper === null) return
    while (this.#away < AHEAD && this.#next < this.#pieces.length && this.#next - at < MOST_WAITING) {
      const files = this.#pieces[this.#next]!
      this.#away++
      const { root, hidden, embedder } = this.#preparing
      const asked = this.#helper.prepare({ root, hidden, embeds: embedder !== null, files })
      // The thread ended: prepare its files here.
      const instead = () => (this.#isStopped ? [] : this.#own(files))
      void this.#keep(
        this.#next++,
        asked.then(unpack, instead).finally(() => this.#away--),
      )
    }
  }

  #take(at: number): Promise<PreparedChunk[][]> {
    this.#next = Math.max(this.#next, at + 1)
    return this.#keep(at, this.#own(this.#pieces[at]!))
  }

  #keep(at: number, made: Promise<PreparedChunk[][]>): Promise<PreparedChunk[][]> {
    this.#prepared.set(at, made)
    // Rejections are handled by the consumer of the piece.
    made.finally(() => this.#done.add(at)).catch(() => undefined)
    return made
  }

  async #own(files: readonly SourceOf[]): Promise<PreparedChunk[][]> {
    const prepared: PreparedChunk[][] = []
    for (const file of files) {
      prepared.push(await prepare(file, this.#preparing))
      await turn()
    }
    return prepared
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The builtin embedder, which makes vectors along with the chunks; null for others. */
export const free = (embedder: Embedder): Embedder | null => (embedder.id.provider === 'builtin' ? embedder : null)
