// Commits concurrent writes together, so that they share one disk flush.
import { AsyncResource } from 'node:async_hooks'
import type { Knex } from 'knex'

/** Maximum writes per commit. Reads wait for a commit too. */
const MOST = 32

interface Piece {
  work(transaction: Knex.Transaction): Promise<unknown>
  resolve(value: any): void
  reject(error: unknown): void
  /** Error of the work; a failing rollback would hide it. */
  failure?: unknown
}

/** For a database with a single writer. Writes run and settle in order. */
export class GroupCommit {
  readonly #db: Knex
  readonly #isFatal: (error: unknown) => boolean
  #waiting: Piece[] = []
  #isRunning = false

  /** `isFatal`: whether an error rolled back the whole transaction. */
  constructor(db: Knex, isFatal: (error: unknown) => boolean) {
    this.#db = db
    this.#isFatal = isFatal
  }

  /** Settles when the write is flushed or rolled back. A failing write rolls back only itself. */
  run<T>(work: (transaction: Knex.Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // Keep the async context of the caller.
      this.#waiting.push({ work: AsyncResource.bind(work), resolve, reject })
      if (!this.#isRunning) void this.#runAll()
    })
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#runGroup()
    this.#isRunning = false
  }

  async #runGroup(): Promise<void> {
    let pieces: Piece[] = []
    try {
      const settle = await this.#db.transaction(async (transaction) => {
        // Includes writes that arrived during the previous commit.
        pieces = this.#waiting.splice(0, MOST)
        const settling: (() => void)[] = []
        for (const piece of pieces)
          settling.push(await (pieces.length === 1 ? this.#run(piece, transaction) : this.#runPart(piece, transaction)))
        return settling
      })
      for (const each of settle) each()
    } catch (error) {
      // If BEGIN failed, all pending writes fail.
      const undone = pieces.length > 0 ? pieces : this.#waiting.splice(0, MOST)
      const failures = undone.map(({ failure }) => failure)
      const reason = [...failures, error].find(this.#isFatal) ?? (failures.length === 1 ? failures[0] : null) ?? error
      for (const piece of undone) piece.reject(reason)
    }
  }

  /** Throws if the whole transaction is rolled back. */
  async #runPart(piece: Piece, transaction: Knex.Transaction): Promise<() => void> {
    try {
      return await transaction.transaction((part) => this.#run(piece, part))
    } catch (error) {
      if (error !== piece.failure || this.#isFatal(error)) throw error
      return () => piece.reject(error)
    }
  }

  async #run(piece: Piece, transaction: Knex.Transaction): Promise<() => void> {
    try {
      const value = await piece.work(transaction)
      return () => piece.resolve(value)
    } catch (error) {
      piece.failure = error
      throw error
    }
  }
}
