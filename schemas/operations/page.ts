// Lists on the wire: an array as it is, or a page of it when `limit` or `offset` asks for one.
import * as Type from 'typebox'

export const DEFAULT_PAGE = 50
export const LARGEST_PAGE = 200

/** Members of the query string of every list. */
export const pageMembers = {
  limit: Type.Optional(
    Type.Integer({
      description: `Most items of the answer; ${DEFAULT_PAGE} where only offset is given, clamped to 1 to ${LARGEST_PAGE}`,
    }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Items to leave out' }),
  ),
}
export const PageQuery = Type.Object(pageMembers)
export type PageQuery = Type.Static<typeof PageQuery>

export interface Paged<T> {
  items: T[]
  total: number
  limit: number
  offset: number
}

/** Response schema of a list. */
export function listSchema(item: Type.TSchema): Type.TSchema {
  const page = Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  })
  return Type.Union([Type.Array(item), page])
}
