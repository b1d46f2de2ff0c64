// Writes that wait for one another are committed together: the disk takes no longer for many than for one.
import { AsyncResource } from 'node:async_hooks'
import type { Knex } from 'knex'

/** Reads wait for the writer too: so many pieces of work are committed at once at the most. */
const MOST = 32

interface Piece {
  work(transaction: Knex.Transaction): Promise<unknown>
  /** What the work itself threw; what comes out of its transaction may hide it. */
  failure?: unknown
  settle(outcome: Outcome): void
}

type Outcome = { value: unknown } | { error: unknown }

/** The writes of one database that has a single writer. Pieces are done, and settle, in the order they came. */
export class GroupCommit {
  readonly #db: Knex
  /** True for an error after which nothing of the whole transaction can be kept. */
  readonly #isFatal: (error: unknown) => boolean
  #waiting: Piece[] = []
  #running = false

  constructor(db: Knex, isFatal: (error: unknown) => boolean) {
    this.#db = db
    this.#isFatal = isFatal
  }

  /** Settles when it is on the disk, or undone; a piece that fails undoes itself alone. Throws what the work threw. */
  run<T>(work: (transaction: Knex.Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T))
      // Whose turn it is must not show in what the work logs or asks.
      this.#waiting.push({ work: AsyncResource.bind(work), settle })
      if (!this.#running) void this.#runAll()
    })
  }

  async #runAll(): Promise<void> {
    this.#running = true
    while (this.#waiting.length > 0) await this.#runGroup()
    this.#running = false
  }

  async #runGroup(): Promise<void> {
    let pieces: Piece[] = []
    const outcomes = new Map<Piece, Outcome>()
    try {
      await this.#db.transaction(async (transaction) => {
        // Only now: what came while the one before was committed goes along.
        pieces = this.#waiting.splice(0, MOST)
        if (pieces.length === 1) outcomes.set(pieces[0]!, { value: await this.#do(pieces[0]!, transaction) })
        else for (const piece of pieces) outcomes.set(piece, await this.#within(transaction, piece))
      })
    } catch (error) {
      // Of what could not begin, everybody who waits would hear the same.
      const undone = pieces.length > 0 ? pieces : this.#waiting.splice(0, MOST)
      const failures = undone.map(({ failure }) => failure)
      const reason = [...failures, error].find(this.#isFatal) ?? (failures.length === 1 ? failures[0] : null) ?? error
      for (const piece of undone) piece.settle({ error: reason })
      return
    }
    for (const [piece, outcome] of outcomes) piece.settle(outcome)
  }

  /** In a part of the transaction of its own. Throws when that could not be undone by itself. */
  async #within(transaction: Knex.Transaction, piece: Piece): Promise<Outcome> {
    try {
      return { value: await transaction.transaction((part) => this.#do(piece, part)) }
    } catch (error) {
      if (error !== piece.failure || this.#isFatal(error)) throw error
      return { error }
    }
  }

  async #do(piece: Piece, transaction: Knex.Transaction): Promise<unknown> {
    try {
      return await piece.work(transaction)
    } catch (error) {
      piece.failure = error
      throw error
    }
  }
}
