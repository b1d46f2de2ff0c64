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
declare module 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js' {
  export default class SqliteTransaction {
    readonly client: object
    /** Name of its savepoint where it is part of another. */
    txid: string
    readonly outerTx: SqliteTransaction | null
    constructor(client: unknown, ...args: unknown[])
    begin(connection: unknown): Promise<void>
    isCompleted(): boolean
    query(connection: unknown, sql: string): Promise<void>
  }
}
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex'
  export default class PostgresDialect {
    constructor(config: Knex.Config)
    transaction(...args: unknown[]): unknown
  }
}
declare module 'knex/lib/dialects/postgres/execution/pg-transaction.js' {
  export default class PostgresTransaction {
    readonly client: object
    constructor(client: unknown, ...args: unknown[])
    begin(connection: unknown): Promise<void>
  }
}
