// How knex speaks with SQLite here: statements stay prepared, a transaction takes the write lock as it begins, and what
// is only read does not wait for who writes.
import * as sqlite from '@appthreat/sqlite3'
import SqliteDialect, { type SqliteQuery } from 'knex/lib/dialects/sqlite3/index.js'
import SqliteTransaction from 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js'
import { fenceOf, tokensOf, undoUnlessHeld, type TokenRow } from '../../fence.ts'
import { PreparedStatements, staysPrepared, type PreparingConnection } from './prepared.ts'

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

/** Of a client that writes: the one that reads apart from it. A transaction's client has none, so it reads its own writes. */
const readers = new WeakMap<object, SqliteClient>()

/** Whether knex would only read: other statements, raw ones too, go where everything is allowed. */
const onlyReads = (builder: { _method?: unknown }): boolean =>
  builder._method === 'select' || builder._method === 'first' || builder._method === 'pluck'

/** What knex tells of each question. */
const EVENTS = ['start', 'query', 'query-response', 'query-error']

export class SqliteClient extends SqliteDialect {
  /**
   * From now on what is read outside of transactions is read through `other`, on connections of its own: it sees what is
   * committed when it is asked. Needs a file in WAL mode, whose readers and writer do not wait for each other.
   */
  readThrough(other: SqliteClient): void {
    readers.set(this, other)
    for (const event of EVENTS) other.on(event, (...args) => this.emit(event, ...args))
  }

  override runner(builder: object): object {
    const reader = onlyReads(builder) ? readers.get(this) : undefined
    return reader ? reader.runner(builder) : super.runner(builder)
  }

  /** The reader first: who closes last puts the log back into the file, and one that only reads could not. */
  override async destroy(callback?: (error?: unknown) => void): Promise<void> {
    await readers.get(this)?.destroy()
    return super.destroy(callback)
  }

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
