// Takes one row for its own in one atomic statement: whoever claims at the same time takes another.
import { isPostgres, write, type Knex } from '../database.ts'
import { toOrder, type Order } from './page.ts'

export interface Claim {
  table: string
  /** Identifies a row; default `id`. */
  key?: string
  /** Which rows are free: equal columns, or a function that narrows the query. */
  where: Record<string, unknown> | ((query: Knex.QueryBuilder) => void)
  /** Which free row is taken first: `['priority', { column: 'seq', order: 'asc' }]`. */
  order: readonly Order[]
  /** What marks the row as taken; must make `where` false for it. */
  set: Record<string, unknown>
}

/** The claimed row as it now stands, or null when none is free. Within a transaction it is taken once that commits. */
export async function claim(
  on: Knex,
  { table, key = 'id', where, order, set }: Claim,
): Promise<Record<string, any> | null> {
  const take = async (transaction: Knex) => {
    const free = transaction(table).where(where).orderBy(order.map(toOrder)).limit(1).select(key)
    // SQLite has one writer; on PostgreSQL rows that others are just taking are passed over, not waited for.
    if (isPostgres(on)) void free.forUpdate().skipLocked()
    const rows: Record<string, any>[] = await transaction(table).where(key, free).update(set).returning('*')
    return rows[0] ?? null
  }
  return on.isTransaction ? take(on) : write(on, take)
}
