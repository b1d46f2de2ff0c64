import { write, type Knex } from '../../../platform/database/database.ts'

const DELETED_AT_ONCE = 500

interface Dated {
  table: string
  /** Column that identifies a row. */
  key: string
  /** Column of its time, with an index. */
  at: string
}

/** Deletes rows older than `before` (RFC 3339), in batches until `signal`. Returns their number. */
export async function deleteOlder(
  db: Knex,
  { table, key, at }: Dated,
  before: string,
  signal: AbortSignal,
): Promise<number> {
  for (let dropped = 0; ;) {
    if (signal.aborted) return dropped
    const keys: (string | number)[] = await db(table)
      .where(at, '<', before)
      .orderBy(at)
      .limit(DELETED_AT_ONCE)
      .pluck(key)
    if (keys.length === 0) return dropped
    dropped += await write(db, (transaction) => transaction(table).whereIn(key, keys).delete())
  }
}
