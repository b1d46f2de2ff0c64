// The dialects that knex brings, with transactions that take the write lock as they begin and check the leases that
// they write under.
import { promisify } from 'node:util'
import * as sqlite from '@appthreat/sqlite3'
import knex, { type Knex } from 'knex'
import type { ClientBase } from 'pg'
import { FENCE_KEY, fenceOf, tokensOf, undoUnlessHeld, type Fence, type TokenRow } from './fence.ts'

type Dialect = typeof Knex.Client

/** The dialect of knex for `client`. `begin` begins a transaction, or throws what the transaction is rejected with. */
function dialectOf<Connection>(
  client: string,
  begin: (connection: Connection, fence: Fence | undefined) => Promise<unknown>,
): Dialect {
  const KnexDialect: Dialect = knex({ client, useNullAsDefault: true }).client.constructor
  return class extends KnexDialect {
    override async query(connection: Connection, statement: unknown): Promise<unknown> {
      return statement === 'BEGIN;' ? begin(connection, fenceOf(this.config)) : super.query(connection, statement)
    }

    /** knex calls the work of a transaction even if that could not begin. */
    override transaction(
      work: (transaction: Knex.Transaction) => unknown,
      config: unknown,
      outer: unknown,
    ): Knex.Transaction {
      const ifBegun = (transaction: Knex.Transaction) => (transaction.isCompleted() ? undefined : work(transaction))
      return super.transaction(ifBegun, config, outer)
    }
  }
}

/** A transaction that reads first and is begun deferred fails with BUSY if another process wrote in between. */
async function beginOnSqlite(connection: sqlite.Database, fence: Fence | undefined): Promise<void> {
  const run = (sql: string) => promisify<string, TokenRow[]>(connection.all).call(connection, sql)
  await run('BEGIN IMMEDIATE')
  if (fence) await undoUnlessHeld(fence, run(tokensOf(fence)), () => run('ROLLBACK'))
}

/** One round trip with a fence and without. Each statement sees what was committed before it began. */
async function beginOnPostgres(connection: ClientBase, fence: Fence | undefined): Promise<void> {
  if (!fence) return void (await connection.query('BEGIN'))
  const lock = `SELECT pg_advisory_xact_lock_shared(${FENCE_KEY})`
  const answers = connection.query(`BEGIN; ${lock}; ${tokensOf(fence)}`) as unknown as Promise<{ rows: TokenRow[] }[]>
  const tokens = answers.then((each) => each.at(-1)!.rows)
  // A broken connection has undone it already.
  await undoUnlessHeld(fence, tokens, () => connection.query('ROLLBACK').catch(() => undefined))
}

export class SqliteDialect extends dialectOf('sqlite3', beginOnSqlite) {
  override initializeDriver(): void {
    // The driver is the default export, which its types leave out.
    this.driver = (sqlite as unknown as { default: typeof sqlite }).default
  }
}

export const PostgresDialect = dialectOf('pg', beginOnPostgres)
