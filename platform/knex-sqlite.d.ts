// Two knex paths and a default export that have no types of their own.
declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex } from 'knex'
  export default class SqliteDialect {
    constructor(config: Knex.Config)
    _driver(): unknown
    transaction(...args: unknown[]): unknown
  }
}
declare module 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js' {
  export default class SqliteTransaction {
    constructor(client: unknown, ...args: unknown[])
    begin(connection: unknown): Promise<void>
    query(connection: unknown, sql: string): Promise<void>
  }
}
