// Takes rows for its own in one atomic statement: whoever claims at the same time takes others.
import { isPostgres, write, type Knex } from '../database/database.ts'
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
  /** Columns of text that each row has a value of its own for, in the order they are taken: `most` of them. */
  each?: Record<string, readonly string[]>
  /** So many rows are taken at most. */
  most: number
}

/**
 * The first `most` rows that are free, or as many as there are, in their order and as they now stand. Within a
 * transaction they are taken once that commits.
 */
export async function claim(on: Knex, wanted: Claim): Promise<Record<string, any>[]> {
  const take = async (transaction: Knex): Promise<Record<string, any>[]> => {
    const answer = await taking(transaction, wanted)
    const rows: Record<string, any>[] = isPostgres(on) ? answer.rows : answer
    return rows.length < 2 ? rows : rows.toSorted((one, other) => inOrder(wanted.order, one, other))
  }
  return on.isTransaction ? take(on) : write(on, take)
}

function taking(on: Knex, { table, key = 'id', where, order: wanted, set, each = {}, most }: Claim): Knex.Raw {
  const order = wanted.map(toOrder)
  const free = on(table).where(where).orderBy(order).limit(most)
  void free.select([...new Set([key, ...order.map(({ column }) => column)])])
  // SQLite has one writer; on PostgreSQL rows that others are just taking are passed over, not waited for.
  if (isPostgres(on)) void free.forUpdate().skipLocked()
  const turns = on('free')
    .select(key)
    .rowNumber('turn', (over) => void over.orderBy(order))
  const values = { ...set, ...Object.fromEntries(Object.entries(each).map(([column, all]) => [column, nth(on, all)])) }
  const columns = Object.entries(values)
  const sets = columns.map(() => '?? = ?').join(', ')
  const returned = isPostgres(on) ? on.raw('??.*', [table]) : on.raw('*')
  const joined = [`${table}.${key}`, `turns.${key}`, returned]
  // Within a condition of its own PostgreSQL might ask for the free ones again, and take more than were wanted.
  return on.raw(`with free as materialized ?, turns as ? update ?? set ${sets} from turns where ?? = ?? returning ?`, [
    free,
    turns,
    table,
    ...columns.flat(),
    ...joined,
  ] as Knex.RawBinding[])
}

/** Of `values` that of a row's turn, which counts from one. */
function nth(on: Knex, values: readonly string[]): Knex.Raw {
  return on.raw(isPostgres(on) ? '(?::jsonb ->> (turn - 1)::int)' : '(? ->> (turn - 1))', [JSON.stringify(values)])
}

/** A statement returns what it changed in any order. */
function inOrder(order: readonly Order[], one: Record<string, any>, other: Record<string, any>): number {
  for (const { column, order: direction } of order.map(toOrder)) {
    if (one[column] === other[column]) continue
    return one[column] < other[column] === (direction === 'asc') ? -1 : 1
  }
  return 0
}
