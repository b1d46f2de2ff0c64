// Parts of inbox items.
import { pathOf } from '../../../platform/http/client.ts'
import type { InboxItem, InboxLink, InboxPart } from '../../../schemas/gateway/inbox.ts'
import type { Operation, OperationGroup } from '../../../schemas/operations/operation.ts'

/** Without the parts that follow from the kind. */
export type ItemDraft = Pick<InboxItem, 'id' | 'title' | 'detail' | 'links'> &
  Partial<Pick<InboxItem, 'deadline' | 'since' | 'alike' | 'group'>>

/** Code points. */
const LONGEST_QUOTE = 400
const KEPT_END = 150

/** Text of svc. */
export const plain = (text: string): InboxPart => ({ text })

/** A name that others chose. */
export const named = (name: string): InboxPart => quoted(name, null)

/** Text of others. Cut in the middle, because the end of a command matters as much as its start. */
export function quoted(text: string, by: string | null): InboxPart {
  return { quoted: withoutMiddle(text), by }
}

function withoutMiddle(text: string): string {
  if (text.length <= LONGEST_QUOTE) return text
  // A code point has one or two units.
  const start = Array.from(text.slice(0, 2 * LONGEST_QUOTE))
  if (text.length <= 2 * LONGEST_QUOTE && start.length <= LONGEST_QUOTE) return text
  const end = Array.from(text.slice(-2 * KEPT_END)).slice(-KEPT_END)
  return `${start.slice(0, LONGEST_QUOTE - KEPT_END - 1).join('')}…${end.join('')}`
}

export function link(
  { service }: Pick<OperationGroup, 'service'>,
  { id: operation, method, path }: Operation,
  { params = {}, body = null }: { params?: Record<string, string>; body?: Record<string, unknown> | null } = {},
): InboxLink {
  return { operation, method, path: `/api/${service}${pathOf(path, { params })}`, body }
}

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
