// Files prepared in their order by this thread and a second one beside it: who is free takes the next of them.
import type { Embedder } from '../embedding/embedder.ts'
import { prepare, unpack, type Packed, type PreparedChunk, type Preparing, type SourceOf } from './prepare.ts'

/** The second thread. */
export interface Helper {
  /** Throws where the thread has ended. */
  prepare(job: { root: string; embeds: boolean; files: SourceOf[] }): Promise<Packed>
  stop(): Promise<void>
}

/** Files that go to the second thread at once. */
const PIECE = 16
/** Pieces that wait there: it never waits for us. */
const AHEAD = 2
/** Pieces that are prepared and wait to be written. */
const MOST_WAITING = 8
/** Fewer files are prepared before a thread has started. */
const LEAST_FILES = 200

export class Preparation {
  readonly #preparing: Preparing
  readonly #pieces: SourceOf[][]
  readonly #helper: Helper | null
  readonly #prepared = new Map<number, Promise<PreparedChunk[][]>>()
  /** Pieces that are prepared. */
  readonly #done = new Set<number>()
  #isStopped = false
  /** Of pieces, the first that nobody has taken. */
  #next = 0
  /** Pieces in the hands of the second thread. */
  #away = 0

  /** `files` in the order in which they are asked for. */
  constructor(preparing: Preparing, files: readonly SourceOf[], newHelper: (() => Helper) | null) {
    this.#preparing = preparing
    const count = Math.ceil(files.length / PIECE)
    this.#pieces = Array.from({ length: count }, (_each, at) => files.slice(at * PIECE, (at + 1) * PIECE))
    this.#helper = files.length >= LEAST_FILES && newHelper ? newHelper() : null
  }

  /** Chunks of each file in turn; ask for one after the other, and `stop` in the end. */
  async *all(): AsyncGenerator<PreparedChunk[]> {
    for (const at of this.#pieces.keys()) {
      this.#handOut(at)
      const piece = this.#prepared.get(at) ?? this.#take(at)
      await turn()
      // While the second thread is at it, this one takes what comes after.
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
      const { root, embedder } = this.#preparing
      const asked = this.#helper.prepare({ root, embeds: embedder !== null, files })
      // What a thread that ended leaves behind is done here.
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
    // A failure is met where the piece is asked for.
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

/** Vectors that ask nobody are made with the rest. */
export const free = (embedder: Embedder): Embedder | null => (embedder.id.provider === 'builtin' ? embedder : null)
