// Pages by cursor: a position in the order of a list. Both ends are equally fast, and changes elsewhere shift nothing.
import type { Pieces } from '../async/time-slices.ts'
import { invalid } from '../core/problem.ts'
import type { Knex } from '../database/database.ts'
import type { Slice } from '../../schemas/operations/page.ts'
import { textFault } from '../../schemas/validation/text.ts'

export interface CursorAsked {
  limit: number
  side: 'after' | 'before'
  /** Of `next` or `previous`; empty: from the start, or from the end. */
  cursor: string
  /** Names the list with its filters: a cursor of another one is refused. Default: the order alone names it. */
  list?: string
}

type KeyType = 'string' | 'number'
type Key = readonly (string | number)[]

/** The values that order an item; together they identify it. */
interface KeyOrder<T> {
  /** Name of the list and its order: a cursor of another one is refused. */
  list: string
  /** Number of values in a key. */
  parts: number
  /** Types of the values; numbers are whole. Default: texts. */
  types?: readonly KeyType[]
  keyOf(item: T): Key
  descending?: boolean
}

interface Position {
  /** Empty: the start, or the end. */
  key: Key
  /** 1 if the page runs towards greater keys, else -1. */
  sign: 1 | -1
}

const START: Key = []

/** Selects a page of `items`, which are in any order, without sorting them. Throws 400 for a bad cursor. */
export function* sliceOf<T>(items: readonly T[], order: KeyOrder<T>, asked: CursorAsked): Pieces<Slice<T>> {
  const { key: from, sign } = positionOf(order, asked)
  const nearest: { key: Key; item: T }[] = []
  // Mostly sorted items cost as much for the last page as for the first one if read from the page's end.
  for (let at = sign > 0 ? 0 : items.length - 1; at >= 0 && at < items.length; at += sign) {
    yield
    const item = items[at]!
    const key = order.keyOf(item)
    if (from.length > 0 && sign * compareKeys(key, from) <= 0) continue
    const place = placeOf(key, nearest, sign)
    if (place > asked.limit) continue
    nearest.splice(place, 0, { key, item })
    if (nearest.length > asked.limit + 1) nearest.pop()
  }
  const found = nearest.map(({ item }) => item)
  return sliceFrom(found, order, asked)
}

function placeOf(key: Key, sorted: readonly { key: Key }[], sign: number): number {
  let [low, high] = [0, sorted.length]
  // The last one decides for most items.
  if (high > 0 && sign * compareKeys(key, sorted[high - 1]!.key) > 0) return high
  while (low < high) {
    const middle = (low + high) >> 1
    if (sign * compareKeys(key, sorted[middle]!.key) > 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Reads a page of a table. `columns` are the key, none of them null; give them an index in this order. */
export async function rowSlice<Row extends object>(
  query: Knex.QueryBuilder,
  columns: readonly string[],
  { order, asked, decode }: { order: KeyOrder<Row>; asked: CursorAsked; decode(columns: object): Row },
): Promise<Slice<Row>> {
  const { key, sign } = positionOf(order, asked)
  const page = query.clone().limit(asked.limit + 1)
  void page.orderBy(columns.map((column) => ({ column, order: sign > 0 ? 'asc' : 'desc' })))
  if (key.length > 0) {
    // Without the cast, PostgreSQL refuses a number above the range of the column.
    const values = columns.map((_, at) => (order.types?.[at] === 'number' ? 'CAST(? AS BIGINT)' : '?'))
    const compared = `(${columns.map(() => '??').join(', ')}) ${sign > 0 ? '>' : '<'} (${values.join(', ')})`
    void page.whereRaw(compared, [...columns, ...key])
  }
  const rows: object[] = await page
  return sliceFrom(rows.map(decode), order, asked)
}

export interface ColumnOrder {
  list: string
  /** Columns of the key, with their types. */
  columns: Readonly<Record<string, KeyType>>
  descending: boolean
}

/** As `rowSlice`, for rows whose key is not a part of the item. `query` names the columns that it selects. */
export async function columnSlice<T>(
  query: Knex.QueryBuilder,
  { list, columns, descending }: ColumnOrder,
  { asked, decode }: { asked: CursorAsked; decode(columns: Record<string, any>): T },
): Promise<Slice<T>> {
  const [names, types] = [Object.keys(columns), Object.values(columns)]
  // PostgreSQL's driver returns bigint as text.
  const keyOf = (row: Record<string, any>): Key =>
    names.map((name, at) => (types[at] === 'number' ? Number(row[name]) : (row[name] as string)))
  const order = { list, parts: names.length, types, keyOf, descending }
  const slice = await rowSlice(query.clone().select(names), names, {
    order,
    asked,
    decode: (row) => row as Record<string, any>,
  })
  return { ...slice, items: slice.items.map(decode) }
}

/** `found`: from the position away, one more than the limit if there are more. */
function sliceFrom<T>(found: T[], order: KeyOrder<T>, asked: CursorAsked): Slice<T> {
  const { limit, side, cursor } = asked
  const items = found.slice(0, limit)
  if (side === 'before') items.reverse()
  const list = nameOf(order, asked)
  const cursorAt = (item: T | undefined) => encodeCursor(list, item === undefined ? START : order.keyOf(item))
  const hasMore = found.length > limit
  const isInside = cursor !== ''
  return {
    items,
    next: (side === 'after' ? hasMore : isInside) ? cursorAt(items.at(-1)) : null,
    previous: (side === 'before' ? hasMore : isInside) ? cursorAt(items[0]) : null,
  }
}

function positionOf<T>(order: KeyOrder<T>, asked: CursorAsked): Position {
  const sign = (asked.side === 'after') === (order.descending ?? false) ? -1 : 1
  return { key: asked.cursor === '' ? START : decodeCursor(order, asked), sign }
}

const nameOf = (order: Pick<KeyOrder<never>, 'list'>, { list }: Pick<CursorAsked, 'list'>): string =>
  list === undefined ? order.list : `${order.list} ${list}`

function compareKeys(a: Key, b: Key): number {
  for (const [at, value] of a.entries()) {
    const other = b[at]!
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}

/** Cursor at an item, for a list whose last page leads to items that are still to come. */
export const itemCursor = <T>({ list, keyOf }: Pick<KeyOrder<T>, 'list' | 'keyOf'>, item: T): string =>
  encodeCursor(list, keyOf(item))

const encodeCursor = (list: string, key: Key): string =>
  Buffer.from(JSON.stringify([list, ...key])).toString('base64url')

const SHOWN = 60
const EXPECTED = 'expected "next" or "previous" of an answer of this list, or nothing'

/** Throws 400 for a text that is no cursor, and for a cursor of another list or order. */
function decodeCursor(order: Omit<KeyOrder<never>, 'keyOf'>, asked: CursorAsked): Key {
  const { side, cursor } = asked
  const [of, ...key] = valuesOf(cursor) ?? []
  const isCursor = typeof of === 'string' && encodeCursor(of, key) === cursor
  const isOurs = isCursor && of === nameOf(order, asked)
  if (isOurs && (key.length === 0 || isKey(key, order))) return key
  const seen = isCursor && !isOurs ? 'a cursor of another list, filter or order,' : 'the text'
  const message = `${EXPECTED}; got ${seen} "${cursor.slice(0, SHOWN)}"`
  throw invalid(`${side}: ${message}`, [{ path: side, message, code: 'invalid-value' }])
}

const isKey = (key: Key, { parts, types }: Pick<KeyOrder<never>, 'parts' | 'types'>): boolean =>
  key.length === parts &&
  key.every(
    (value, at) =>
      typeof value === (types?.[at] ?? 'string') && (typeof value === 'number' || textFault(value) === null),
  )

function valuesOf(cursor: string): Key | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) && value.every(isKeyValue) ? value : null
  } catch {
    return null
  }
}

const isKeyValue = (value: unknown): value is string | number =>
  typeof value === 'string' || Number.isSafeInteger(value)
