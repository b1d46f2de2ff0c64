// How knex speaks with SQLite here: statements stay prepared, and a transaction takes the write lock as it begins.
import * as sqlite from '@appthreat/sqlite3'
import SqliteDialect, { type SqliteQuery } from 'knex/lib/dialects/sqlite3/index.js'
import SqliteTransaction from 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js'
import { fenceOf, tokensOf, undoUnlessHeld, type TokenRow } from '../fence.ts'
import { carriedOut, type Work } from '../transactor.ts'
import { PreparedStatements, staysPrepared, type PreparingConnection } from './prepared-statements.ts'

/** A connection of the driver, as far as it is used here. */
export interface SqliteConnection extends PreparingConnection {
  exec(sql: string, done: (error: Error | null) => void): void
}

const preparedOf = new WeakMap<object, PreparedStatements>()

function prepared(connection: SqliteConnection): PreparedStatements {
  let statements = preparedOf.get(connection)
  if (!statements) preparedOf.set(connection, (statements = new PreparedStatements(connection)))
  return statements
}

/** A read-then-write transaction begun deferred fails with BUSY when another process wrote in between. */
class ImmediateTransaction extends SqliteTransaction {
  constructor(client: unknown, ...args: unknown[]) {
    super(client, ...args)
    // By its depth: savepoints by number would each be another statement. SQLite takes the newest of a name.
    let depth = 0
    for (let around = this.outerTx; around; around = around.outerTx) depth++
    if (depth > 0) this.txid = `part${depth}`
  }

  override _onAcquire(work: Work, connection: unknown): Promise<unknown> {
    return carriedOut(this, work, connection)
  }

  override async begin(connection: SqliteConnection): Promise<void> {
    await this.query(connection, 'BEGIN IMMEDIATE;')
    const fence = fenceOf(this.client)
    if (!fence || this.isCompleted()) return
    const asked = prepared(connection).run('all', tokensOf(fence), [])
    const undo = () => new Promise<void>((resolve) => connection.exec('ROLLBACK', () => resolve()))
    await undoUnlessHeld(
      fence,
      asked.then(({ rows }) => rows as TokenRow[]),
      undo,
    )
  }
}

export class SqliteClient extends SqliteDialect {
  override _driver(): unknown {
    // The driver is the default export, which its types leave out.
    return (sqlite as unknown as { default: unknown }).default
  }

  override transaction(...args: unknown[]): unknown {
    return new ImmediateTransaction(this, ...args)
  }

  override async _query(connection: SqliteConnection, query: SqliteQuery): Promise<SqliteQuery> {
    const { sql, bindings = [] } = query
    if (!sql || !staysPrepared(sql, bindings)) return super._query(connection, query)
    const { rows, changes } = await prepared(connection).run(returnsRows(query) ? 'all' : 'run', sql, bindings)
    query.response = rows
    query.context = changes
    return query
  }

  override async destroyRawConnection(connection: SqliteConnection): Promise<void> {
    await preparedOf.get(connection)?.close()
    return super.destroyRawConnection(connection)
  }
}

function returnsRows({ method, returning }: SqliteQuery): boolean {
  if (method === 'insert' || method === 'update') return Boolean(returning)
  return method !== 'counter' && method !== 'del'
}
