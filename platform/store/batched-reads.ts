// Rows of a table by their keys, in one question for all that are asked for at once.
import { Batches, type Outcome } from '../async/batches.ts'
import type { Knex } from '../database/database.ts'

type Columns = Record<string, any>

/** Keys of one question. */
const MOST = 32

/** What is asked for while a question is under way goes into the next one; null for a key that no row has. */
export function rowsByKey(
  db: Knex,
  table: string,
  { key, columns }: { key: string; columns: readonly string[] },
): Batches<string, Columns | null> {
  const together = async (keys: readonly string[]): Promise<Outcome<Columns | null>[]> => {
    // One again and again is found once: so there are few statements, and these stay prepared.
    const filled = [...keys]
    while ((filled.length & (filled.length - 1)) !== 0) filled.push(keys[0]!)
    try {
      const rows: Columns[] = await db(table).whereIn(key, filled).select(columns)
      const found = new Map(rows.map((row) => [String(row[key]), row]))
      return keys.map((each) => ({ value: found.get(each) ?? null }))
    } catch (error) {
      if (keys.length === 1) return [{ error }]
      // What is no key at all is a fault of who asked for it alone.
      return (await Promise.all(keys.map((each) => together([each])))).flat()
    }
  }
  return new Batches(MOST, together)
}
