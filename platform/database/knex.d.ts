// The knex paths that have no types of their own.
declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex } from 'knex'
  export default class SqliteDialect {
    constructor(config: Knex.Config)
    _driver(): unknown
    _query(connection: unknown, query: SqliteQuery): Promise<SqliteQuery>
    destroyRawConnection(connection: unknown): Promise<void>
    transaction(...args: unknown[]): unknown
  }
  /** A statement on its way, to which its answer is added. */
  export interface SqliteQuery {
    sql: string
    /** Of knex; absent for raw statements. */
    method?: string
    bindings?: readonly unknown[]
    returning?: unknown
    response?: unknown
    context?: { lastID: number; changes: number }
  }
}
declare module 'knex/lib/knex-builder/make-knex.js' {
  import type { EventEmitter } from 'node:events'
  import type KnexTransaction from 'knex/lib/execution/transaction.js'
  interface Context {
    /** Without work, resolves to a transaction that has begun. */
    _transaction(work: unknown, config: object, around: KnexTransaction): Promise<unknown>
    transaction(work: unknown, config?: object): Promise<unknown>
  }
  export default function makeKnex(client: EventEmitter): { context: Context }
}
declare module 'knex/lib/execution/transaction.js' {
  import type { Knex } from 'knex'
  export interface KnexClient {
    /** True for that of a transaction; `root` is then that of its database. */
    transacting?: boolean
    root?: KnexClient
    queryBuilder(): { table(name: string, options?: object): Knex.QueryBuilder }
    query(connection: unknown, statement: unknown): Promise<unknown>
    stream(connection: unknown, statement: unknown, ...rest: unknown[]): Promise<unknown>
  }
  export default class KnexTransaction {
    /** Of the database, or of the transaction that this one is part of. */
    readonly client: KnexClient
    readonly outerTx: KnexTransaction | null
    /** Name of its savepoint where it is part of another. */
    txid: string
    userParams?: object
    trxClient?: KnexClient
    transactor?: Knex.Transaction
    /** Called with the outcome when the last of its statements was answered. */
    _resolver(value: unknown): void
    _rejecter(error: unknown): void
    constructor(client: unknown, ...args: unknown[])
    _onAcquire(work: (transaction: Knex.Transaction) => unknown, connection: unknown): Promise<unknown>
    isCompleted(): boolean
    query(connection: unknown, sql: string): Promise<void>
    begin(connection: unknown): Promise<void>
    savepoint(connection: unknown): Promise<void>
    commit(connection: unknown, value?: unknown): Promise<void>
    release(connection: unknown, value?: unknown): Promise<void>
    rollback(connection: unknown, error?: unknown): Promise<void>
    rollbackTo(connection: unknown, error?: unknown): Promise<void>
  }
}
declare module 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js' {
  import KnexTransaction from 'knex/lib/execution/transaction.js'
  export default class SqliteTransaction extends KnexTransaction {}
}
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex'
  export default class PostgresDialect {
    constructor(config: Knex.Config)
    transaction(...args: unknown[]): unknown
  }
}
declare module 'knex/lib/dialects/postgres/execution/pg-transaction.js' {
  import KnexTransaction from 'knex/lib/execution/transaction.js'
  export default class PostgresTransaction extends KnexTransaction {}
}
