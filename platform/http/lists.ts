import { strictJson } from '../../schemas/validation/text.ts'
import { DEFAULT_PAGE, LARGEST_PAGE, type Paged, type PageQuery } from '../../schemas/operations/page.ts'
import { hasTime, nextTurn } from '../async/time-slices.ts'
import type { PageLimits } from '../store/page.ts'

/** Returns the effective limits; null for the whole list. */
export function pageOf(query: PageQuery, largest = LARGEST_PAGE): PageLimits | null {
  if (query.limit === undefined && query.offset === undefined) return null
  return { limit: Math.min(Math.max(query.limit ?? DEFAULT_PAGE, 1), largest), offset: query.offset ?? 0 }
}

export function pageAnswer<T>(
  found: readonly T[] | { items: T[]; total: number },
  page: PageLimits | null,
): readonly T[] | Paged<T> {
  if (!('total' in found)) {
    if (page === null) return found
    return { items: found.slice(page.offset, page.offset + page.limit), total: found.length, ...page }
  }
  return page === null ? found.items : { ...found, ...page }
}

export const LIST_PART = 500

/** Serialises a long list in slices. */
export async function* listText(items: readonly unknown[]): AsyncGenerator<string> {
  yield '['
  for (let at = 0; at < items.length; at += LIST_PART) {
    if (!hasTime()) await nextTurn()
    yield (at > 0 ? ',' : '') + strictJson(items.slice(at, at + LIST_PART)).slice(1, -1)
  }
  yield ']'
}
