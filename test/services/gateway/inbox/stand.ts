// The inbox over lists that the test gives.
import { atOnce } from '../../../../platform/async/time-slices.ts'
import { noLog } from '../../../../platform/core/log/log.ts'
import type { World } from '../../../../platform/service/world.ts'
import { sliceOf, type CursorAsked } from '../../../../platform/store/keyset.ts'
import type { InboxKind, InboxReply } from '../../../../schemas/gateway/inbox.ts'
import { Inbox } from '../../../../services/gateway/inbox/inbox.ts'
import type { Records } from './examples.ts'

interface Page {
  before?: string
  limit: number
  offset?: number
}

/** By operation. */
const LISTS = {
  listApprovals: 'approvals',
  listQuestions: 'questions',
  listActionable: 'notifications',
  listSources: 'sources',
  listResources: 'contested',
  listDrift: 'drift',
  listRuns: 'runs',
} as const satisfies Record<string, keyof Records>

/** `failing`: errors by the name of an operation. */
export function inboxOver(records: Records, failing: Readonly<Record<string, Error>> = {}): Inbox {
  const answer = async (name: keyof typeof LISTS, { before, limit, offset = 0 }: Page) => {
    if (failing[name]) throw failing[name]
    const items: readonly unknown[] = records[LISTS[name]] ?? []
    if (before === undefined) return { items: items.slice(offset, offset + limit), total: items.length, limit, offset }
    const keys = items.map((_item, at) => String(at).padStart(6, '0'))
    const order = { list: 'test', parts: 1, keyOf: (at: string) => [at] }
    const slice = atOnce(sliceOf(keys, order, { limit, side: 'before', cursor: before }))
    return { ...slice, items: slice.items.map((at) => items[Number(at)]) }
  }
  const calls = Object.fromEntries(
    Object.keys(LISTS).map((name) => [name, ({ query }: { query: Page }) => answer(name as keyof typeof LISTS, query)]),
  )
  const call = (() => calls) as unknown as World['call']
  return new Inbox({ call, ids: () => 'id', log: noLog })
}

const FIRST: CursorAsked = { limit: 200, side: 'after', cursor: '' }

export const inboxOf = (
  records: Records,
  { kind, asked = FIRST }: { kind?: InboxKind; asked?: CursorAsked } = {},
): Promise<InboxReply> => inboxOver(records).show({ kind }, asked)
