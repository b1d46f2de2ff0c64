// Commits the writes that wait at the same moment together: they share one flush to the disk.
import { AsyncResource } from 'node:async_hooks'
import type { Knex } from 'knex'

/** Writes of one commit. Reads wait for it too. */
const MOST = 32

interface Piece {
  work(transaction: Knex.Transaction): Promise<unknown>
  resolve(value: any): void
  reject(error: unknown): void
  /** What the work threw; a rollback that fails would hide it. */
  failure?: unknown
}

/** The writes of a database that has a single writer. They run, and settle, in the order they came. */
export class GroupCommit {
  readonly #db: Knex
  readonly #isFatal: (error: unknown) => boolean
  #waiting: Piece[] = []
  #isRunning = false

  /** `isFatal`: true for an error after which nothing of the transaction is kept. */
  constructor(db: Knex, isFatal: (error: unknown) => boolean) {
    this.#db = db
    this.#isFatal = isFatal
  }

  /** Settles when the write is on the disk, or undone. A write that fails undoes only itself. Throws what the work threw. */
  run<T>(work: (transaction: Knex.Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // The work runs in the context of its own caller.
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
        // Only now: writes that came during the commit before are part of this group.
        pieces = this.#waiting.splice(0, MOST)
        const settling: (() => void)[] = []
        for (const piece of pieces)
          settling.push(await (pieces.length === 1 ? this.#run(piece, transaction) : this.#runPart(piece, transaction)))
        return settling
      })
      for (const each of settle) each()
    } catch (error) {
      // A transaction that could not begin fails for all that wait.
      const undone = pieces.length > 0 ? pieces : this.#waiting.splice(0, MOST)
      const failures = undone.map(({ failure }) => failure)
      const reason = [...failures, error].find(this.#isFatal) ?? (failures.length === 1 ? failures[0] : null) ?? error
      for (const piece of undone) piece.reject(reason)
    }
  }

  /** Runs a write as a part that can be undone alone; throws if that failed. Returns what settles it. */
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
