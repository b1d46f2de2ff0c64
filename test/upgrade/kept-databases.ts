import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { DATABASES, postgresDatabase, sqliteDatabase } from '../support/databases.ts'

export const folder = dirname(fileURLToPath(import.meta.url))

/** Versions whose engine this run tests. */
export const versions = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, 'records.json')))
  .map((name) => ({ name, engine: name.endsWith('-postgres') ? ('postgres' as const) : ('sqlite' as const) }))
  .filter(({ engine }) => DATABASES.includes(engine))

/** Creates a copy of a kept database. */
export async function restoreDatabase(version: string): Promise<{ url: string; remove(): Promise<void> }> {
  const dump = join(folder, version, 'svc.sql')
  const database = existsSync(dump) ? await postgresDatabase() : await sqliteDatabase()
  if (existsSync(dump)) await execute(database.url, readFileSync(dump, 'utf8'))
  else cpSync(join(folder, version, 'svc.db'), database.url.replace('sqlite:', ''))
  return database
}

/** Executes pg_dump output without psql commands, which start with a backslash. */
async function execute(url: string, dump: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(dump.replaceAll(/^\\.*$/gm, ''))
  await client.end()
}
