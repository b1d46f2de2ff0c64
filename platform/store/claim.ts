// Claims rows in one atomic statement; concurrent claims get different rows.
import { isPostgres, write, type Knex } from '../database/database.ts'
import { toOrder, type Order } from './page.ts'

export interface Claim {
  table: string
  /** Default `id`. */
  key?: string
  /** Selects the free rows. */
  where: Record<string, unknown> | ((query: Knex.QueryBuilder) => void)
  /** Claim order, in table columns: `['priority', { column: 'seq', order: 'asc' }]`. */
  order: readonly Order[]
  /** Marks a row as claimed; must make `where` false. */
  set: Record<string, unknown>
  /** Columns with a different text per row: `most` values each, in claim order. */
  each?: Record<string, readonly string[]>
  most: number
}

/** Returns the claimed rows, updated and in order. In a transaction, the claim takes effect on commit. */
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
  // Skips rows locked by concurrent claims.
  if (isPostgres(on)) void free.forUpdate().skipLocked()
  const turns = on('free')
    .select(key)
    .rowNumber('turn', (over) => void over.orderBy(order))
  const values = { ...set, ...Object.fromEntries(Object.entries(each).map(([column, all]) => [column, nth(on, all)])) }
  const columns = Object.entries(values)
  const sets = columns.map(() => '?? = ?').join(', ')
  const returned = isPostgres(on) ? on.raw('??.*', [table]) : on.raw('*')
  const joined = [`${table}.${key}`, `turns.${key}`, returned]
  // Materialized: PostgreSQL might otherwise re-evaluate it and claim more rows.
  return on.raw(`with free as materialized ?, turns as ? update ?? set ${sets} from turns where ?? = ?? returning ?`, [
    free,
    turns,
    table,
    ...columns.flat(),
    ...joined,
  ] as Knex.RawBinding[])
}

/** The element of `values` at the row's turn (from 1). */
function nth(on: Knex, values: readonly string[]): Knex.Raw {
  return on.raw(isPostgres(on) ? '(?::jsonb ->> (turn - 1)::int)' : '(? ->> (turn - 1))', [JSON.stringify(values)])
}

/** RETURNING has no defined order. */
function inOrder(order: readonly Order[], one: Record<string, any>, other: Record<string, any>): number {
  for (const { column, order: direction } of order.map(toOrder)) {
    if (one[column] === other[column]) continue
    return one[column] < other[column] === (direction === 'asc') ? -1 : 1
  }
  return 0
}
