// knex dialects whose transactions take the write lock at BEGIN and check the fence.
import { promisify } from 'node:util'
import * as sqlite from '@appthreat/sqlite3'
import knex, { type Knex } from 'knex'
import type { ClientBase } from 'pg'
import { FENCE_KEY, fenceOf, tokensOf, rollBackUnlessHeld, type Fence, type TokenRow } from './fence.ts'

type Dialect = typeof Knex.Client

/** `begin` throws the error that rejects the transaction. */
function dialectOf<Connection>(
  client: string,
  begin: (connection: Connection, fence: Fence | undefined) => Promise<unknown>,
): Dialect {
  const KnexDialect: Dialect = knex({ client, useNullAsDefault: true }).client.constructor
  return class extends KnexDialect {
    override async query(connection: Connection, statement: unknown): Promise<unknown> {
      return statement === 'BEGIN;' ? begin(connection, fenceOf(this.config)) : super.query(connection, statement)
    }

    /** knex runs the work even if the transaction could not begin. */
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

/** A deferred transaction fails with BUSY if another process writes after its first read. */
async function beginOnSqlite(connection: sqlite.Database, fence: Fence | undefined): Promise<void> {
  const run = (sql: string) => promisify<string, TokenRow[]>(connection.all).call(connection, sql)
  await run('BEGIN IMMEDIATE')
  if (fence) await rollBackUnlessHeld(fence, run(tokensOf(fence)), () => run('ROLLBACK'))
}

/** One round trip, with or without a fence. */
async function beginOnPostgres(connection: ClientBase, fence: Fence | undefined): Promise<void> {
  if (!fence) return void (await connection.query('BEGIN'))
  const lock = `SELECT pg_advisory_xact_lock_shared(${FENCE_KEY})`
  const answers = connection.query(`BEGIN; ${lock}; ${tokensOf(fence)}`) as unknown as Promise<{ rows: TokenRow[] }[]>
  const tokens = answers.then((each) => each.at(-1)!.rows)
  // A broken connection has already rolled back.
  await rollBackUnlessHeld(fence, tokens, () => connection.query('ROLLBACK').catch(() => undefined))
}

export class SqliteDialect extends dialectOf('sqlite3', beginOnSqlite) {
  override initializeDriver(): void {
    // The driver is the default export, which its types omit.
    this.driver = (sqlite as unknown as { default: typeof sqlite }).default
  }
}

export const PostgresDialect = dialectOf('pg', beginOnPostgres)
