// Caches a long list of rarely changing rows: reads each row once per version.
import { isPostgres, type Knex } from '../database/database.ts'
import type { Direction } from './page.ts'

interface Kept<R> {
  version: number
  createdAt: string
  record: R
}

type Mark = [key: string, version: number, createdAt: string]

export interface VersionedListOptions<R> {
  /** Must have the columns `version` and `created_at`. */
  table: string
  key: string
  order: { column: string; order?: Direction }[]
  toRecord(row: Record<string, any>): R
}

/** Limits the rows per statement, because a driver decodes a result without a pause. */
const CHUNK = 500

/**
 * Every change must increment `version` in its transaction. Unchanged rows and lists keep their identity, so that
 * callers may cache by it.
 */
export function versionedList<R>(db: Knex, options: VersionedListOptions<R>): () => Promise<readonly R[]> {
  const { table, key, toRecord } = options
  let kept = new Map<string, Kept<R>>()
  let last: { marks: string; list: readonly R[] } = { marks: '[]', list: [] }
  const fetch = async (keys: readonly string[]) => {
    const fresh = new Map<string, Kept<R>>()
    for (let at = 0; at < keys.length; at += CHUNK)
      for (const row of await db(table).whereIn(key, keys.slice(at, at + CHUNK)))
        fresh.set(row[key], { version: row.version, createdAt: row.created_at, record: toRecord(row) })
    return fresh
  }
  return async () => {
    const marks = await marksOf(db, options)
    if (marks === last.marks) return last.list
    const all = JSON.parse(marks) as Mark[]
    const known = ([id, version, createdAt]: Mark) => {
      const entry = kept.get(id)
      return entry?.version === version && entry.createdAt === createdAt ? entry : undefined
    }
    const fresh = await fetch(all.filter((mark) => !known(mark)).map(([id]) => id))
    // Skips rows deleted between the queries.
    const entries = all.flatMap((mark) => {
      const entry = known(mark) ?? fresh.get(mark[0])
      return entry ? [[mark[0], entry] as const] : []
    })
    kept = new Map(entries)
    last = { marks, list: entries.map(([, entry]) => entry.record) }
    return last.list
  }
}

/** One text is much cheaper than decoding thousands of rows. */
async function marksOf(db: Knex, { table, key, order }: VersionedListOptions<unknown>): Promise<string> {
  const columns = [key, 'version', 'created_at']
  const rows = db(table).select(columns).orderBy(order).as('rows')
  const [array, aggregate] = isPostgres(db) ? ['json_build_array', 'json_agg'] : ['json_array', 'json_group_array']
  const text = db.raw(`cast(coalesce(${aggregate}(${array}(??, ??, ??)), '[]') as text) as marks`, columns)
  const [{ marks }] = await db.from(rows).select(text)
  return marks
}
