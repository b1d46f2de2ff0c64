// Takes rows for its own in one atomic statement: whoever claims at the same time takes others.
import { isPostgres, write, type Knex } from '../database.ts'
import { toOrder, type Order } from './page.ts'

export interface Claim {
  table: string
  /** Identifies a row; default `id`. */
  key?: string
  /** Which rows are free: equal columns, or a function that narrows the query. */
  where: Record<string, unknown> | ((query: Knex.QueryBuilder) => void)
  /** Which free row is taken first, in columns of the table: `['priority', { column: 'seq', order: 'asc' }]`. */
  order: readonly Order[]
  /** What marks the row as taken; must make `where` false for it. */
  set: Record<string, unknown>
  /** So many rows are taken at most. */
  most: number
}

/**
 * The first `most` rows that are free, or as many as there are, in their order and as they now stand. Within a
 * transaction they are taken once that commits.
 */
export async function claim(
  on: Knex,
  { table, key = 'id', where, order, set, most }: Claim,
): Promise<Record<string, any>[]> {
  const take = async (transaction: Knex): Promise<Record<string, any>[]> => {
    const free = transaction(table).where(where).orderBy(order.map(toOrder)).limit(most).select(key)
    // SQLite has one writer; on PostgreSQL rows that others are just taking are passed over, not waited for.
    if (isPostgres(on)) void free.forUpdate().skipLocked()
    // Within a condition of its own PostgreSQL might ask for them again, and take more than were wanted.
    const taken = transaction(table).withMaterialized('free', free).whereIn(key, transaction('free').select(key))
    const rows: Record<string, any>[] = await taken.update(set).returning('*')
    return rows.length < 2 ? rows : rows.toSorted((one, other) => inOrder(order, one, other))
  }
  return on.isTransaction ? take(on) : write(on, take)
}

/** A statement returns what it changed in any order. */
function inOrder(order: readonly Order[], one: Record<string, any>, other: Record<string, any>): number {
  for (const { column, order: direction } of order.map(toOrder)) {
    if (one[column] === other[column]) continue
    return one[column] < other[column] === (direction === 'asc') ? -1 : 1
  }
  return 0
}
