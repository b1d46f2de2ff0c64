// One database for all: SQLite in a file, or PostgreSQL. Each service has its own tables and migrations.
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import knex, { type Knex } from 'knex'
import type { Database } from '@appthreat/sqlite3'
import { PostgresDialect, SqliteDialect } from './dialects.ts'
import { GroupCommit } from './group-commit.ts'
import { sqliteFile } from '../core/config.ts'
import { Problem, unavailable } from '../core/problem.ts'

export type { Knex } from 'knex'

/** Migrations of one service, applied in order, each once. Names are never reused or changed. */
export interface Migrations {
  /** Prefix of the service's tables: `orchestrator`. */
  prefix: string
  /** Migrations of the last development build, which the first step replaces. */
  replaces?: readonly string[]
  steps: { name: string; up(db: Knex): Promise<void> }[]
}

/**
 * knex would print warnings to standard output, into the JSON of a command; every error it warns of is thrown as
 * well.
 */
const SILENT = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined }

/** `userParams` holds what belongs to one database: its fence, its group of writes. */
const common = () => ({ log: SILENT, userParams: {} })

/** Milliseconds after which PostgreSQL gives a statement up; migrations take the time they take. */
const STATEMENT_MS = 30_000
/**
 * Milliseconds after which it ends a transaction that asks for nothing: a stopped process would keep its successor
 * waiting.
 */
const IDLE_TRANSACTION_MS = 10_000

const postgres = (connectionString: string) => ({
  connectionString,
  statement_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
})

/**
 * Opens `sqlite:<file>`, `sqlite::memory:` or `postgres://…`. SQLite has one connection, so writes
 * queue in the process and not on the file's lock; what is acknowledged is on the disk (FULL).
 */
export function openDatabase(url: string, options: { readOnly?: boolean; busyTimeoutMs?: number } = {}): Knex {
  if (/^postgres(ql)?:/.test(url))
    return knex({ ...common(), client: PostgresDialect, connection: postgres(url), pool: { min: 0, max: 8 } })
  const file = sqliteFile(url)
  if (file !== null && !options.readOnly) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const pragmas = [
    `busy_timeout = ${options.busyTimeoutMs ?? 5000}`,
    'foreign_keys = ON',
    ...(options.readOnly ? ['query_only = ON'] : ['journal_mode = WAL', 'synchronous = FULL']),
  ]
  return knex({
    ...common(),
    client: SqliteDialect,
    connection: { filename: file ?? ':memory:' },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: Database, done: (error: Error | null, connection: unknown) => void) =>
        connection.exec(pragmas.map((pragma) => `PRAGMA ${pragma};`).join(''), (error) => done(error, connection)),
    },
  })
}

/** True for a PostgreSQL database or a transaction on one, false for SQLite. */
export function isPostgres(db: Knex): boolean {
  return db.client.dialect === 'postgresql'
}

/** Names of the migrations of a service that the database has, oldest first. */
export async function appliedMigrations(db: Knex, prefix: string): Promise<string[]> {
  const table = `${prefix}_migrations`
  return (await db.schema.hasTable(table)) ? db(table).orderBy('id').pluck('name') : []
}

/** Brings the tables of one service up to date. The caller sees to it that nobody else does so at the same time. */
export async function migrate(db: Knex, migrations: Migrations): Promise<void> {
  const [behind, names] = [await appliedMigrations(db, migrations.prefix), migrations.steps.map(({ name }) => name)]
  // Most starts have nothing to do: that is seen without a lock.
  if (behind.length > 0 && isDeepStrictEqual(behind, names)) return
  const config = {
    tableName: `${migrations.prefix}_migrations`,
    migrationSource: {
      getMigrations: async () => names,
      getMigrationName: (name: string) => name,
      getMigration: async (name: string) => ({
        up: async (transaction: Knex) => {
          if (isPostgres(transaction)) await transaction.raw('set local statement_timeout = 0')
          await migrations.steps.find((step) => step.name === name)!.up(transaction)
        },
        down: async () => undefined,
      }),
    },
  }
  await db.migrate.latest(config).catch(async (error: Error) => {
    if (error.name !== 'MigrationLocked') throw error
    // A process that was killed while it migrated left its mark behind; each step was a transaction of its own.
    await db.migrate.forceFreeMigrationsLock(config)
    await db.migrate.latest(config)
  })
}

/** The write transaction that the present work belongs to, and the one around it. */
interface OpenWrite {
  open: boolean
  around: OpenWrite | undefined
}

const openWrites = new AsyncLocalStorage<OpenWrite>()

/** True in the work of an open `write`, and in what it calls: there nothing may wait for another service. */
export function inWriteTransaction(): boolean {
  let present = openWrites.getStore()
  while (present && !present.open) present = present.around
  return present !== undefined
}

/** Marks `work` as inside a write until it ends; what it leaves running then counts as outside. */
async function runMarked<T>(work: () => Promise<T>): Promise<T> {
  const mark: OpenWrite = { open: true, around: openWrites.getStore() }
  try {
    return await openWrites.run(mark, work)
  } finally {
    mark.open = false
  }
}

/**
 * Runs a write; on SQLite those that wait for one another are committed together. A full disk, a locked or unreachable
 * database becomes a 503, so that the caller is never told that something was kept which was not.
 */
export async function write<T>(db: Knex, work: (transaction: Knex.Transaction) => Promise<T>): Promise<T> {
  const marking = (transaction: Knex.Transaction) => runMarked(() => work(transaction))
  if (!isPostgres(db) && !db.isTransaction) {
    const group: GroupCommit = (db.userParams.group ??= new GroupCommit(db, isStorageError))
    return group.run(marking).catch((error: unknown) => {
      throw storageProblem(error) ?? error
    })
  }
  let failure: unknown
  try {
    return await db.transaction((transaction) =>
      marking(transaction).catch((error: unknown) => {
        failure = error
        throw error
      }),
    )
  } catch (error) {
    throw storageProblem(failure) ?? storageProblem(error) ?? failure ?? error
  }
}

/**
 * Resolves when what a transaction wrote is kept, which is when the outermost one around it is committed: of a group of
 * writes each is but a part. Rejects when it is undone.
 */
export async function whenCommitted(transaction: Knex.Transaction): Promise<void> {
  let each: Knex.Transaction | undefined = transaction
  for (; each; each = each.parentTransaction) await each.executionPromise
}

/** By the code or name of an error; its text quotes the statement, whose values may look like any code. */
const REFUSALS: [RegExp, string][] = [
  [/^(SQLITE_FULL|53100)$/, 'the disk is full: free some space, then try again'],
  [/^(SQLITE_BUSY\w*|SQLITE_LOCKED\w*|55P03)$/, 'the database is locked by another process: try again'],
  [
    /^(SQLITE_(IOERR|READONLY|CANTOPEN|CORRUPT)\w*|58030)$/,
    'the database cannot be written: look at its file, folder and disk',
  ],
  [/^57014$/, 'the database took longer than a statement may: try again'],
  [
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|57P0.|25P03|08...|KnexTimeoutError)$/,
    'the database cannot be reached: check SVC_DATABASE_URL and the server',
  ],
]
/** What drivers say without a code. */
const UNREACHABLE =
  /^(Connection terminated|Connection ended|knex: Timeout acquiring|timeout expired)|\b(ECONNREFUSED|ECONNRESET|ENOTFOUND)\b/i

/** The 503 that stands for a storage error, or null when `error` is none. */
export function storageProblem(error: unknown): Problem | null {
  const { code = '', name = '', message = '' } = (error ?? {}) as { code?: string; name?: string; message?: string }
  const refusal =
    REFUSALS.find(([pattern]) => pattern.test(code) || pattern.test(name)) ??
    (code === '' && UNREACHABLE.test(message) ? REFUSALS.at(-1) : undefined)
  return refusal ? unavailable(refusal[1], 'storage-unavailable', error) : null
}

const isStorageError = (error: unknown): boolean => storageProblem(error) !== null

/** True when an insert or update met a unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  return code === '23505' || (code === 'SQLITE_CONSTRAINT' && message.includes('UNIQUE'))
}
