// Lists as they are answered: whole, or the page that was asked for.
import { DEFAULT_PAGE, LARGEST_PAGE, type Paged, type PageQuery } from '../../schemas/operations/page.ts'
import { hasTime, nextTurn } from '../async/time-slices.ts'
import type { PageLimits } from '../store/page.ts'

/** The limits in force, or null when the whole list was asked for. */
export function pageOf(query: PageQuery, largest = LARGEST_PAGE): PageLimits | null {
  if (query.limit === undefined && query.offset === undefined) return null
  return { limit: Math.min(Math.max(query.limit ?? DEFAULT_PAGE, 1), largest), offset: query.offset ?? 0 }
}

/** What a list route answers, of all items or of those that a store has cut out already. */
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

/** Items of a list whose text is made without a pause. */
export const LIST_PART = 500

/** The JSON text of a list, a part at a time: longer ones are streamed, so that everything else goes on. */
export async function* listText(items: readonly unknown[]): AsyncGenerator<string> {
  yield '['
  for (let at = 0; at < items.length; at += LIST_PART) {
    if (!hasTime()) await nextTurn()
    yield (at > 0 ? ',' : '') + JSON.stringify(items.slice(at, at + LIST_PART)).slice(1, -1)
  }
  yield ']'
}
