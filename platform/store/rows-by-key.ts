// Many rows by one statement: in chunks, and each changed in its own way.
import type { Knex } from '../database/database.ts'

/** Rows of a statement: SQLite takes so many values at once. */
const CHUNK = 50

/** What one statement may have, one after the other. */
export function* chunks<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += CHUNK) yield all.slice(at, at + CHUNK)
}

/** Columns that some row is given, by the key of the row. */
export type Changes = readonly (readonly [key: string, columns: Record<string, any>])[]

export const keysOf = (changes: Changes): string[] => changes.map(([key]) => key)

/** What an update sets, for rows that are matched by their key: a column that one is not given stays as it is. */
export function byKey(on: Knex, key: string, changes: Changes): Record<string, any> {
  const [only] = changes
  if (changes.length === 1) return only![1]
  const columns = new Set(changes.flatMap(([, each]) => Object.keys(each)))
  return Object.fromEntries([...columns].map((column) => [column, valueOf(on, key, column, changes)]))
}

/** Ends in the column itself: PostgreSQL takes the type of the values from there. */
function valueOf(on: Knex, key: string, column: string, changes: Changes): Knex.Raw {
  const given = changes.filter(([, columns]) => column in columns)
  const values = given.flatMap(([id, columns]) => [id, columns[column]])
  return on.raw(`case ?? ${'when ? then ? '.repeat(given.length)}else ?? end`, [key, ...values, column])
}
