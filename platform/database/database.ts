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

/** Applied in order, each once. Never rename or reuse a name. */
export interface Migrations {
  prefix: string
  replaces?: readonly string[]
  steps: { name: string; up(db: Knex): Promise<void> }[]
}

/** knex would print into a command's JSON; it throws errors anyway. */
const SILENT = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined }

/** `userParams` holds the fence and the write group. */
const common = () => ({ log: SILENT, userParams: {} })

/** PostgreSQL only; migrations have no time-out. */
const STATEMENT_MS = 30_000
/** PostgreSQL only: idle transactions of a suspended process would block its successor. */
const IDLE_TRANSACTION_MS = 10_000

const postgres = (connectionString: string) => ({
  connectionString,
  statement_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
})

/**
 * Opens `sqlite:<file>`, `sqlite::memory:` or `postgres://…`. SQLite uses one connection, so that writes queue in the
 * process instead of on the file lock.
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

export function isPostgres(db: Knex): boolean {
  return db.client.dialect === 'postgresql'
}

/** Oldest first. */
export async function appliedMigrations(db: Knex, prefix: string): Promise<string[]> {
  const table = `${prefix}_migrations`
  return (await db.schema.hasTable(table)) ? db(table).orderBy('id').pluck('name') : []
}

/** Applies pending migrations. The caller must prevent concurrent calls. */
export async function migrate(db: Knex, migrations: Migrations): Promise<void> {
  const [behind, names] = [await appliedMigrations(db, migrations.prefix), migrations.steps.map(({ name }) => name)]
  // The common case takes no lock.
  if (behind.length > 0 && isDeepStrictEqual(behind, names)) return
  const config = {
    tableName: `${migrations.prefix}_migrations`,
    migrationSource: {
      getMigrations: async () => names,
      getMigrationName: (name: string) => name,
      getMigration: async (name: string) => ({
        up: async (transaction: Knex) => {
          if (isPostgres(transaction)) await transaction.raw('set local statement_timeout = 0')
          // A trigger would keep the step from changing the columns that it names.
          const triggers = await changeTriggersOn(transaction)
          await dropTriggers(
            transaction,
            triggers.filter(({ table }) => table.startsWith(`${migrations.prefix}_`)),
          )
          await migrations.steps.find((step) => step.name === name)!.up(transaction)
        },
        down: async () => undefined,
      }),
    },
  }
  await db.migrate.latest(config).catch(async (error: Error) => {
    if (error.name !== 'MigrationLocked') throw error
    // Left by a killed process; each step ran in its own transaction.
    await db.migrate.forceFreeMigrationsLock(config)
    await db.migrate.latest(config)
  })
}

/** Start of the names of the triggers that each start installs, after the migrations. */
export const CHANGE_TRIGGER = 'changes_'

export interface InstalledTrigger {
  name: string
  table: string
}

export async function changeTriggersOn(db: Knex): Promise<InstalledTrigger[]> {
  const rows: Promise<InstalledTrigger[]> = isPostgres(db)
    ? db('pg_trigger')
        .join('pg_class', 'pg_class.oid', 'pg_trigger.tgrelid')
        .whereRaw('relnamespace = current_schema()::regnamespace')
        .select('tgname as name', 'relname as table')
    : db('sqlite_master').where({ type: 'trigger' }).select('name', 'tbl_name as table')
  return (await rows).filter(({ name }) => name.startsWith(CHANGE_TRIGGER))
}

export async function dropTriggers(db: Knex, triggers: readonly InstalledTrigger[]): Promise<void> {
  for (const { name, table } of triggers)
    await db.raw(isPostgres(db) ? `DROP TRIGGER ${name} ON ${table}` : `DROP TRIGGER ${name}`)
}

interface OpenWrite {
  open: boolean
  around: OpenWrite | undefined
}

const openWrites = new AsyncLocalStorage<OpenWrite>()

/** Returns true inside a `write`, where waiting for another service could deadlock. */
export function inWriteTransaction(): boolean {
  let present = openWrites.getStore()
  while (present && !present.open) present = present.around
  return present !== undefined
}

/** Work still running after `work` ends counts as outside. */
async function runMarked<T>(work: () => Promise<T>): Promise<T> {
  const mark: OpenWrite = { open: true, around: openWrites.getStore() }
  try {
    return await openWrites.run(mark, work)
  } finally {
    mark.open = false
  }
}

/**
 * Runs a write transaction. On SQLite, concurrent ones are committed together. Storage errors (disk full, database
 * locked or unreachable) become a 503.
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

/** Resolves after the commit of the outermost transaction: a grouped write is only a savepoint. Rejects on rollback. */
export async function whenCommitted(transaction: Knex.Transaction): Promise<void> {
  let each: Knex.Transaction | undefined = transaction
  for (; each; each = each.parentTransaction) await each.executionPromise
}

/** Matched by code or name, because messages quote values that may look like a code. */
const REFUSALS: [RegExp, string][] = [
  [/^(SQLITE_FULL|53100)$/, 'the disk is full: free some space, then try again'],
  [/^(SQLITE_BUSY\w*|SQLITE_LOCKED\w*|55P03)$/, 'the database is locked by another process: try again'],
  [
    /^(SQLITE_(IOERR|READONLY|CANTOPEN|CORRUPT)\w*|58030)$/,
    'the database is not writable: check its file, folder and disk',
  ],
  [/^57014$/, 'the database statement timed out: try again'],
  [
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|57P0.|25P03|08...|KnexTimeoutError)$/,
    'the database cannot be reached: check SVC_DATABASE_URL and the server',
  ],
]
/** Driver errors without a code. */
const UNREACHABLE =
  /^(Connection terminated|Connection ended|knex: Timeout acquiring|timeout expired)|\b(ECONNREFUSED|ECONNRESET|ENOTFOUND)\b/i

/** Returns the 503 for a storage error, or null for other errors. */
export function storageProblem(error: unknown): Problem | null {
  const { code = '', name = '', message = '' } = (error ?? {}) as { code?: string; name?: string; message?: string }
  const refusal =
    REFUSALS.find(([pattern]) => pattern.test(code) || pattern.test(name)) ??
    (code === '' && UNREACHABLE.test(message) ? REFUSALS.at(-1) : undefined)
  return refusal ? unavailable(refusal[1], 'storage-unavailable', error) : null
}

const isStorageError = (error: unknown): boolean => storageProblem(error) !== null

export function isUniqueViolation(error: unknown): boolean {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  return code === '23505' || (code === 'SQLITE_CONSTRAINT' && message.includes('UNIQUE'))
}
