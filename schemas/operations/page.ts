// Lists: an array, or a page if `limit` or `offset` is given.
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
export const PageQuery = Type.Object(pageMembers)
export type PageQuery = Type.Static<typeof PageQuery>

export interface Paged<T> {
  items: T[]
  total: number
  limit: number
  offset: number
}

export function listSchema(item: Type.TSchema): Type.TSchema {
  const page = Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  })
  return Type.Union([Type.Array(item), page])
}
