// Lists of thousands of rows that seldom change: each is read in full once per version, and named by three columns after.
import type { Knex } from '../database.ts'
import type { Direction } from './page.ts'

interface Kept<R> {
  version: number
  createdAt: string
  record: R
}

export interface VersionedListOptions<R> {
  /** Has the columns `version` and `created_at`; a `Table` that is `versioned` counts the first one up. */
  table: string
  key: string
  order: { column: string; order?: Direction }[]
  toRecord(row: Record<string, any>): R
}

/**
 * A function that lists a table anew at each call. Rows must count up `version` in the transaction of every change.
 * The same object stands for a row as long as its version does: who keeps something by it keeps it rightly.
 */
export function versionedList<R>(
  db: Knex,
  { table, key, order, toRecord }: VersionedListOptions<R>,
): () => Promise<readonly R[]> {
  let kept = new Map<string, Kept<R>>()
  return async () => {
    const rows: { version: number; created_at: string }[] = await db(table)
      .select(key, 'version', 'created_at')
      .orderBy(order)
    const keyOf = (row: object) => (row as Record<string, string>)[key]!
    const known = (row: { version: number; created_at: string }) => {
      const entry = kept.get(keyOf(row))
      return entry?.version === row.version && entry.createdAt === row.created_at ? entry : undefined
    }
    const unknown = rows.filter((row) => !known(row)).map(keyOf)
    const full = unknown.length === 0 ? [] : await (unknown.length > 100 ? db(table) : db(table).whereIn(key, unknown))
    const fresh = new Map<string, Kept<R>>(
      full.map((row: Record<string, any>) => [
        row[key],
        { version: row.version, createdAt: row.created_at, record: toRecord(row) },
      ]),
    )
    // A row deleted between the two looks is in neither.
    const entries = rows.flatMap((row) => {
      const entry = known(row) ?? fresh.get(keyOf(row))
      return entry ? [[keyOf(row), entry] as const] : []
    })
    kept = new Map(entries)
    return entries.map(([, entry]) => entry.record)
  }
}
