// One page of a long list and its total: as fast at the end as at the start.
import type { Knex } from '../database/database.ts'

export type Direction = 'asc' | 'desc'
/** A column, newest (greatest) first; or with its direction. */
export type Order = string | { column: string; order: Direction }

/** Which part of a list is wanted. */
export interface PageLimits {
  /** Most items. */
  limit: number
  /** Items to leave out. */
  offset: number
}

export interface PageOptions extends PageLimits {
  /** The columns of an index, the last of which identifies the row: `['seq']`, `['started_at', 'id']`. */
  order: readonly Order[]
}

export interface Page<T> {
  items: T[]
  /** Rows of the whole list. */
  total: number
}

/**
 * A page of `query`, which names a table and its conditions and neither order nor limit. The rows are found by the
 * ordering columns alone, from the nearer end of the list, and only those of the page are read in full: an index over
 * the conditions' columns followed by the ordering ones makes it fast (`pageIndex`).
 */
export async function page<T extends object = Record<string, any>>(
  query: Knex.QueryBuilder,
  { order, limit, offset }: PageOptions,
): Promise<Page<T>> {
  const total = await countOf(query)
  const wanted = Math.min(limit, total - offset)
  if (wanted <= 0) return { items: [], total }
  const columns = order.map(toOrder)
  const key = columns.at(-1)!.column
  const fromEnd = offset > total / 2
  const keys = query
    .clone()
    .clearSelect()
    .select(key)
    .orderBy(fromEnd ? columns.map(reversed) : columns)
    .limit(wanted)
    .offset(fromEnd ? total - offset - wanted : offset)
  return { items: await rowsBy(query, columns, keys), total }
}

/** Rows of a long list that are read at once. */
const PART = 500

/**
 * All rows of `query`, as it is given to `page`, a part at a time: a driver turns the rows of one answer into objects
 * without a pause. A row that changes while the list is read is as it then stands; one that is deleted is left out.
 */
export async function* inParts(
  query: Knex.QueryBuilder,
  order: readonly Order[],
  size = PART,
): AsyncGenerator<object[]> {
  const columns = order.map(toOrder)
  const key = columns.at(-1)!.column
  const keys: unknown[] = await query.clone().clearSelect().orderBy(columns).pluck(key)
  for (let at = 0; at < keys.length; at += size) yield await rowsBy(query, columns, keys.slice(at, at + size))
}

/** Without the conditions, lest their index is taken in place of the key's: the keys stand for them. */
function rowsBy(
  query: Knex.QueryBuilder,
  order: { column: string; order: Direction }[],
  keys: unknown,
): Knex.QueryBuilder {
  return query
    .clone()
    .clearWhere()
    .whereIn(order.at(-1)!.column, keys as string[])
    .orderBy(order)
}

/** Rows that `query` selects. */
export async function countOf(query: Knex.QueryBuilder): Promise<number> {
  const counted = await query.clone().clearSelect().clearOrder().count({ total: '*' }).first()
  return Number(counted?.total ?? 0)
}

/** The index that pages of `table` need, made once: the columns of the conditions, then those of the order. */
export async function pageIndex(db: Knex, table: string, columns: readonly string[]): Promise<void> {
  const name = `${table}_${columns.join('_')}_page`
  await db.raw(`CREATE INDEX IF NOT EXISTS ?? ON ?? (${columns.map(() => '??').join(', ')})`, [name, table, ...columns])
}

/** The order as knex takes it. */
export function toOrder(order: Order): { column: string; order: Direction } {
  return typeof order === 'string' ? { column: order, order: 'desc' } : order
}

function reversed({ column, order }: { column: string; order: Direction }): { column: string; order: Direction } {
  return { column, order: order === 'desc' ? 'asc' : 'desc' }
}
