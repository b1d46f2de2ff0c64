// Statements of a SQLite connection that stay prepared: to prepare one takes the driver as long as to run it.
import type { EventEmitter } from 'node:events'

/** A connection of the driver, as far as it is used here. */
export interface PreparingConnection {
  prepare(sql: string, done: (error: Error | null) => void): DriverStatement
}

interface DriverStatement extends EventEmitter {
  all(values: readonly unknown[], done: StatementDone): void
  run(values: readonly unknown[], done: StatementDone): void
  finalize(): void
}

type StatementDone = (this: Changes, error: Error | null, rows?: unknown[]) => void

/** Of a statement that returns no rows. */
interface Changes {
  lastID: number
  changes: number
}

export interface Answered {
  rows: unknown[] | undefined
  changes: Changes
}

/** Kept a connection; the one that was not used for longest goes first. */
const MOST = 200
/** Longer ones are written for one occasion: values of many rows. */
const LONGEST = 4096

/** What says the same again and again: neither savepoints by number, nor what describes tables. */
const REPEATED = /^\s*(select|insert|update|delete|with|begin|commit|(release )?savepoint part)/i

/** A statement holds its values until it runs again: bigger ones are not worth the memory. */
const BIGGEST_VALUE = 65_536

const isBig = (value: unknown): boolean =>
  (typeof value === 'string' || Buffer.isBuffer(value)) && value.length > BIGGEST_VALUE

export const staysPrepared = (sql: string, values: readonly unknown[]): boolean =>
  sql.length <= LONGEST && REPEATED.test(sql) && !values.some(isBig)

export class PreparedStatements {
  readonly #connection: PreparingConnection
  readonly #most: number
  /** In the order of their last use. */
  readonly #statements = new Map<string, Promise<DriverStatement>>()

  constructor(connection: PreparingConnection, most = MOST) {
    this.#connection = connection
    this.#most = most
  }

  get size(): number {
    return this.#statements.size
  }

  /** Rejects with the driver's error, as one that was never prepared before would. */
  async run(how: 'all' | 'run', sql: string, values: readonly unknown[]): Promise<Answered> {
    const statement = await this.#prepared(sql)
    return new Promise((resolve, reject) => {
      statement[how](values, function (error, rows) {
        // Copied: the next run of the same statement writes there.
        if (error) reject(error)
        else resolve({ rows, changes: { lastID: this.lastID, changes: this.changes } })
      })
    })
  }

  /** Before the connection is closed: one with statements left cannot be. */
  async close(): Promise<void> {
    const all = [...this.#statements.values()]
    this.#statements.clear()
    for (const statement of await Promise.allSettled(all))
      if (statement.status === 'fulfilled') statement.value.finalize()
  }

  #prepared(sql: string): Promise<DriverStatement> {
    const known = this.#statements.get(sql)
    if (known) this.#statements.delete(sql)
    const statement = known ?? this.#prepare(sql)
    this.#statements.set(sql, statement)
    if (this.#statements.size > this.#most) this.#forget(this.#statements.keys().next().value!)
    return statement
  }

  #prepare(sql: string): Promise<DriverStatement> {
    const prepared = new Promise<DriverStatement>((resolve, reject) => {
      const statement = this.#connection.prepare(sql, (error) => (error ? reject(error) : resolve(statement)))
    })
    // It may be right another time: the table is made, the lock is free.
    prepared.catch(() => this.#statements.get(sql) === prepared && this.#statements.delete(sql))
    return prepared
  }

  /** The driver lets what was asked of it before run to its end. */
  #forget(sql: string): void {
    const statement = this.#statements.get(sql)
    this.#statements.delete(sql)
    void statement?.then((each) => each.finalize()).catch(() => undefined)
  }
}
