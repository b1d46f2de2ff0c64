// Lists: an array as it is, or a page of it when `limit` or `offset` asks for one.
import Type, { type Static, type TSchema } from 'typebox'

const DEFAULT_LIMIT = 50
const MOST = 200

/** Members of the query string of every list. */
export const pageMembers = {
  limit: Type.Optional(
    Type.Integer({
      description: `Most items of the answer; ${DEFAULT_LIMIT} where only offset is given, clamped to 1 to ${MOST}`,
    }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Items to leave out' }),
  ),
}
export const PageQuery = Type.Object(pageMembers)
export type PageQuery = Static<typeof PageQuery>

export interface Paged<T> {
  items: T[]
  total: number
  limit: number
  offset: number
}

/** The limits in force, or null when the whole list was asked for. */
export function pageOf(query: PageQuery): { limit: number; offset: number } | null {
  if (query.limit === undefined && query.offset === undefined) return null
  return { limit: Math.min(Math.max(query.limit ?? DEFAULT_LIMIT, 1), MOST), offset: query.offset ?? 0 }
}

/** What a list route answers. */
export function listOf<T>(items: T[], query: PageQuery): T[] | Paged<T> {
  const page = pageOf(query)
  return page === null
    ? items
    : { items: items.slice(page.offset, page.offset + page.limit), total: items.length, ...page }
}

/** Response schema of a list. */
export function listSchema(item: TSchema): TSchema {
  const page = Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  })
  return Type.Union([Type.Array(item), page])
}
