// Lists: an array, a page if `limit` or `offset` is given, a slice if `after` or `before` is given.
import * as Type from 'typebox'

export const DEFAULT_PAGE = 50
export const LARGEST_PAGE = 200

/** Query fields of every list. */
export const pageMembers = {
  limit: Type.Optional(
    Type.Integer({
      description: `Maximum number of items; ${DEFAULT_PAGE} if only offset is given, clamped to 1 to ${LARGEST_PAGE}`,
    }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Number of items to skip' }),
  ),
}

/** Longer than the cursor of any item. */
const LONGEST_CURSOR = 8192

/** Query fields of lists that also page by cursor. */
export const cursorMembers = {
  after: Type.Optional(
    Type.String({
      maxLength: LONGEST_CURSOR,
      description: 'Items after this cursor, the "next" of an answer; empty: the first page',
    }),
  ),
  before: Type.Optional(
    Type.String({
      maxLength: LONGEST_CURSOR,
      description: 'Items before this cursor, the "previous" of an answer; empty: the last page',
    }),
  ),
}
export const PageQuery = Type.Object({ ...pageMembers, ...cursorMembers })
export type PageQuery = Type.Static<typeof PageQuery>

export interface Paged<T> {
  items: T[]
  total: number
  limit: number
  offset: number
}

/** A page by cursor. Null: no items in that direction. */
export interface Slice<T, Counts = unknown> {
  items: T[]
  next: string | null
  previous: string | null
  counts?: Counts
}

export interface CursorOptions {
  /** Numbers of items by state, over all pages. */
  counts?: Type.TSchema
}

const cursor = Type.Union([Type.String(), Type.Null()])

/** `cursors`: the list also pages by cursor. */
export function listSchema(item: Type.TSchema, cursors?: CursorOptions): Type.TSchema {
  const page = Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  })
  return Type.Union([Type.Array(item), page, ...(cursors ? [sliceSchema(item, cursors)] : [])])
}

export function sliceSchema(item: Type.TSchema, { counts }: CursorOptions = {}): Type.TSchema {
  return Type.Object({ items: Type.Array(item), next: cursor, previous: cursor, ...(counts ? { counts } : {}) })
}
