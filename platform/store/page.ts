// Pagination that is equally fast at both ends of a list.
import type { Slice } from '../../schemas/operations/page.ts'
import type { Knex } from '../database/database.ts'
import type { CursorAsked } from './keyset.ts'

export type Direction = 'asc' | 'desc'
export type Order = string | { column: string; order: Direction }

export interface PageLimits {
  limit: number
  offset: number
}

export interface PageOptions extends PageLimits {
  /** The last column identifies the row: `['started_at', 'id']`. */
  order: readonly Order[]
}

export interface Page<T> {
  items: T[]
  total: number
}

/** A page by cursor, a page by offset, or the whole list if empty. */
export type Part = CursorAsked | Partial<PageLimits>
export type Listed<T, P extends Part = Part> = P extends CursorAsked ? Slice<T> : Page<T>

/**
 * Returns a page of `query`, which must have no order or limit. Searches the index of `pageIndex` from the nearer end
 * and reads only the page's rows in full.
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

const PART = 500

/** Yields all rows in batches, because a driver decodes a result without a pause. Omits rows deleted meanwhile. */
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

/** Without the conditions, the database uses the key's index. */
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

export async function countOf(query: Knex.QueryBuilder): Promise<number> {
  const counted = await query.clone().clearSelect().clearOrder().count({ total: '*' }).first()
  return Number(counted?.total ?? 0)
}

/** `columns`: those of conditions, then of the order. */
export async function pageIndex(db: Knex, table: string, columns: readonly string[]): Promise<void> {
  const name = `${table}_${columns.join('_')}_page`
  await db.raw(`CREATE INDEX IF NOT EXISTS ?? ON ?? (${columns.map(() => '??').join(', ')})`, [name, table, ...columns])
}

export function toOrder(order: Order): { column: string; order: Direction } {
  return typeof order === 'string' ? { column: order, order: 'desc' } : order
}

function reversed({ column, order }: { column: string; order: Direction }): { column: string; order: Direction } {
  return { column, order: order === 'desc' ? 'asc' : 'desc' }
}
