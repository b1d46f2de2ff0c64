import { isDeepStrictEqual } from 'node:util'
import { conflict } from '../core/problem.ts'
import { appliedMigrations, type Knex, type Migrations } from './database.ts'

/**
 * Returns the services to relabel(). Throws a 409 if a newer version or an older development build wrote the database.
 * Reads only.
 */
export async function checkMigrations(db: Knex, services: readonly Migrations[]): Promise<Migrations[]> {
  const [replaced, newer, older]: [Migrations[], string[], string[]] = [[], [], []]
  for (const service of services) {
    const { prefix, steps, replaces = [] } = service
    const applied = await appliedMigrations(db, prefix)
    const others = applied.filter((name) => !steps.some((step) => step.name === name))
    const unknown = others.filter((name) => !replaces.includes(name))
    if (unknown.length > 0) newer.push(...unknown.map((name) => `${prefix} ${name}`))
    else if (others.length > 0 && isDeepStrictEqual(applied, replaces)) replaced.push(service)
    else if (others.length > 0) older.push(`${prefix} ${applied.join(', ')}`)
  }
  if (newer.length > 0)
    throw conflict(
      `the database is newer than this program, which does not know its ${newer.length === 1 ? 'migration' : 'migrations'} ${newer.join(', ')}; nothing was changed: start the version that wrote it, or restore an older backup`,
      'database-newer',
    )
  if (older.length > 0)
    throw conflict(
      `the database was written by a development build older than commit 3a7f089, with the migrations ${older.join('; ')}; nothing was changed: start commit 3a7f089 (the last development build of 0.1.0) on this database once, then this program`,
      'database-older',
    )
  return replaced
}

/** Replaces the recorded migrations with the first step, in one transaction. */
export async function relabel(db: Knex, services: readonly Migrations[]): Promise<void> {
  if (services.length === 0) return
  await db.transaction(async (transaction) => {
    for (const { prefix, replaces, steps } of services) {
      // Another daemon may have done so since the check.
      if (!isDeepStrictEqual(await appliedMigrations(transaction, prefix), replaces)) continue
      const table = `${prefix}_migrations`
      await transaction(table).delete()
      await transaction(table).insert({ name: steps[0]!.name, batch: 1, migration_time: transaction.fn.now() })
    }
  })
}
