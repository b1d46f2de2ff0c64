// Databases for tests: SQLite files and a real PostgreSQL server.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import knex from 'knex'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { requestPostgres } from './run/postgres-on-demand.ts'
import { openDatabase, type Knex } from '../../platform/database/database.ts'

export interface TestDatabase {
  /** Available only in tests and hooks. */
  db: Knex
  url: string
}

const KINDS = ['sqlite', 'postgres'] as const
const wanted = process.env.SVC_TEST_DATABASES?.split(',') ?? [...KINDS]

/** Databases of this run; default: both. */
export const DATABASES = KINDS.filter((each) => wanted.includes(each))

/** Runs `body` unless `SVC_TEST_DATABASES=sqlite`. */
export function onPostgres(title: string, body: () => void): void {
  if (DATABASES.includes('postgres')) describe(`a PostgreSQL server ${title}`, body)
}

/** Runs `body` once per kind, with a new database per test file. */
export function onEachDatabase(body: (database: TestDatabase) => void): void {
  for (const kind of DATABASES) {
    describe(`a ${kind} database`, () => {
      const database = {} as TestDatabase
      let close: () => Promise<void>
      beforeAll(async () => {
        const opened = await databaseOn(kind)
        database.url = opened.url
        database.db = openDatabase(opened.url)
        close = async () => {
          await database.db.destroy()
          await opened.remove()
        }
      })
      afterAll(() => close?.())
      body(database)
    })
  }
}

export const databaseOn = (kind: (typeof KINDS)[number]): Promise<{ url: string; remove(): Promise<void> }> =>
  kind === 'sqlite' ? sqliteDatabase() : postgresDatabase()

export async function sqliteDatabase(): Promise<{ url: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-db-'))
  return { url: `sqlite:${join(folder, 'svc.db')}`, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Creates a database on the server of the run. */
export async function postgresDatabase(): Promise<{ url: string; remove(): Promise<void> }> {
  const { host, user } = await requestPostgres(inject('postgresBroker'))
  const name = `svc_${randomUUID().replaceAll('-', '')}`
  const admin = knex({ client: 'pg', connection: { host, user, database: 'postgres' }, pool: { min: 0, max: 1 } })
  await admin.raw(`CREATE DATABASE ${name}`)
  return {
    url: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`,
    remove: async () => {
      await admin.raw(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await admin.destroy()
    },
  }
}
