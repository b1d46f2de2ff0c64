// What the work of a transaction is given. knex makes all of its methods anew for every transaction, which are 22 KB and
// a sixth of the time that it takes; here a transaction inherits them.
import { EventEmitter } from 'node:events'
import type { Knex } from 'knex'
import makeKnex from 'knex/lib/knex-builder/make-knex.js'
import type KnexTransaction from 'knex/lib/execution/transaction.js'
import type { KnexClient } from 'knex/lib/execution/transaction.js'

export type Work = (transaction: Knex.Transaction) => unknown

/**
 * Begins a transaction, gives it to `work`, and commits it, or undoes it where that throws; one whose work returns no
 * promise is ended by whoever has it. What could not begin has no work done. Resolves to what the work returned.
 */
export function carriedOut(of: KnexTransaction, work: Work, connection: unknown): Promise<unknown> {
  const client = (of.trxClient = clientOf(of, connection))
  const executionPromise = new Promise((resolve, reject) => {
    of._resolver = resolve
    of._rejecter = reject
  })
  const working = async () => {
    await (of.client.transacting ? of.savepoint(connection) : of.begin(connection))
    // knex has told of it already.
    if (of.isCompleted()) return
    const parentTransaction = of.outerTx?.transactor
    of.transactor = Object.assign(transactorOf(of, client, connection), { executionPromise, parentTransaction })
    await ended(of.transactor, work)
  }
  working().catch((error: unknown) => of._rejecter(error))
  return executionPromise
}

/** Who asked for a transaction without saying what to do in it ends it by hand. */
async function ended(transactor: Knex.Transaction, work: Work): Promise<void> {
  try {
    const result = work(transactor)
    if (isThenable(result)) await transactor.commit(await result)
  } catch (error) {
    await transactor.rollback(error)
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  value instanceof Object && 'then' in value && typeof value.then === 'function'

/** All of a database's client but where a statement runs: on the connection of the transaction, while it is open. */
function clientOf(of: KnexTransaction, connection: unknown): KnexClient {
  const root = of.client.root ?? of.client
  const client: KnexClient = Object.create(root)
  const onlyWhileOpen = <T>(statement: unknown, run: () => T): T => {
    if (!of.isCompleted()) return run()
    throw new Error(`the transaction of this statement has ended: ${textOf(statement)}`)
  }
  return Object.assign(client, {
    root,
    transacting: true,
    query: async (on: unknown, statement: unknown) =>
      onlyWhileOpen(statement, () => root.query.call(client, on, statement)),
    stream: async (on: unknown, statement: unknown, ...rest: unknown[]) =>
      onlyWhileOpen(statement, () => root.stream.call(client, on, statement, ...rest)),
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
  })
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : String((statement as { sql?: string } | undefined)?.sql)

/** What transactions inherit. Its methods ask `this` for the client: its own is never asked. */
const blueprint = makeKnex(new EventEmitter())

function transactorOf(of: KnexTransaction, client: KnexClient, connection: unknown): Knex.Transaction {
  const context: typeof blueprint.context = Object.assign(Object.create(blueprint.context), {
    client,
    userParams: of.userParams ?? {},
    transaction: (work: Work, config: object = {}) =>
      context._transaction(work, { doNotRejectOnRollback: true, ...config }, of),
    // What it would make asks outside of the transaction.
    withUserParams: () => {
      throw new Error('a transaction has the parameters of its database')
    },
  })
  const part = of.client.transacting
  const transactor = (table: string, options?: object) => client.queryBuilder().table(table, options)
  Object.setPrototypeOf(transactor, blueprint)
  return Object.assign(transactor, {
    context,
    isTransaction: true,
    savepoint: context.transaction,
    commit: (value?: unknown) => (part ? of.release(connection, value) : of.commit(connection, value)),
    rollback: (error?: unknown) => (part ? of.rollbackTo(connection, error) : of.rollback(connection, error)),
    isCompleted: () => of.isCompleted(),
  }) as unknown as Knex.Transaction
}
