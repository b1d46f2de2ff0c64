// Pending decisions, read from all services at the time of the request.
import { inPieces } from '../../../platform/async/time-slices.ts'
import { groupBy } from '../../../platform/core/group-by.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { asProblem } from '../../../platform/http/problems.ts'
import type { World } from '../../../platform/service/world.ts'
import { sliceOf, type CursorAsked } from '../../../platform/store/keyset.ts'
import { PartlyUnread } from '../../../platform/store/live-topic.ts'
import {
  INBOX_KINDS,
  type InboxCounts,
  type InboxGap,
  type InboxItem,
  type InboxKind,
  type InboxReply,
} from '../../../schemas/gateway/inbox.ts'
import { inboxKinds } from './kinds/index.ts'
import { createReads, MOST_READ, type Reads } from './reads.ts'

/** A service that answers later is missing. */
const READ_WITHIN_MS = 3000

/** After every time. */
const NEVER = '~'

const ORDER = {
  list: 'inbox',
  parts: 3,
  keyOf: ({ deadline, since, id }: InboxItem) => [deadline ?? NEVER, since ?? NEVER, id],
}

interface Found {
  items: InboxItem[]
  gap: InboxGap | null
}

interface InboxGroup {
  items: InboxItem[]
  /** Kinds of the group with more items than are read. */
  missing: InboxGap[]
}

export class Inbox {
  readonly #world: Pick<World, 'call' | 'ids' | 'log'>

  constructor(world: Pick<World, 'call' | 'ids' | 'log'>) {
    this.#world = world
  }

  /** Unreadable kinds are in `missing`. Throws 400 for a bad cursor. */
  async show({ kind }: { kind?: InboxKind | undefined }, asked: CursorAsked): Promise<InboxReply> {
    const reads = createReads(this.#world.call, AbortSignal.timeout(READ_WITHIN_MS))
    const found = await Promise.all(INBOX_KINDS.map((each) => this.#find(each, reads)))
    const items = found.flatMap((each) => each.items)
    const slice = await inPieces(
      sliceOf(kind === undefined ? items : items.filter((item) => item.kind === kind), ORDER, asked),
    )
    return { ...slice, counts: countsOf(items), missing: found.flatMap(({ gap }) => gap ?? []) }
  }

  /** By group; one that is read whole and has no items is left out. Throws PartlyUnread if a kind cannot be read. */
  async groups(groups: readonly string[]): Promise<Map<string, InboxGroup>> {
    const reads = createReads(this.#world.call, AbortSignal.timeout(READ_WITHIN_MS))
    const isOf = (group: string, kind: InboxKind) => group.startsWith(`${groupOf(kind)}/`)
    const kinds = INBOX_KINDS.filter((kind) => groups.some((group) => isOf(group, kind)))
    const found = await Promise.all(kinds.map((kind) => this.#find(kind, reads)))
    const gaps = found.flatMap(({ gap }) => gap ?? [])
    const byGroup = groupBy(
      found.flatMap(({ items }) => items),
      ({ group }) => group,
    )
    const all = groups.map((group) => {
      const missing = gaps.filter(({ kind }) => isOf(group, kind))
      return [group, { items: byGroup.get(group) ?? [], missing }] as const
    })
    const isEmpty = ({ items, missing }: InboxGroup) => items.length + missing.length === 0
    const failed = gaps.filter(({ reason }) => reason !== 'truncated')
    if (failed.length === 0) return new Map(all.filter(([, group]) => !isEmpty(group)))
    const read = all.filter(([group]) => !failed.some(({ kind }) => isOf(group, kind)))
    throw new PartlyUnread(
      `the inbox cannot be read: ${failed[0]!.detail}`,
      new Map(read.map(([group, found]) => [group, isEmpty(found) ? null : found])),
    )
  }

  async #find(kind: InboxKind, reads: Reads): Promise<Found> {
    const { service, find } = inboxKinds[kind]
    const gap = (reason: InboxGap['reason'], detail: string): InboxGap => ({ kind, service, reason, detail })
    try {
      const { items: drafts, isWhole, unread = null } = await find(reads)
      const items = drafts.map((draft): InboxItem => ({
        kind,
        service,
        deadline: null,
        since: null,
        alike: null,
        group: draft.id,
        ...draft,
      }))
      // A list may have shifted between two pages.
      const unique = [...new Map(items.map((item) => [item.id, item])).values()]
      const left = `only ${MOST_READ} records of the ${service} service were read`
      if (unread !== null) return { items: unique, gap: gap('failed', unread) }
      return { items: unique, gap: isWhole ? null : gap('truncated', left) }
    } catch (error) {
      // A service that is down is in the answer, so it needs no line in the log for each request.
      const problem = error instanceof Problem ? error : asProblem(error, this.#world.ids(), this.#world.log)
      return { items: [], gap: gap(reasonOf(problem.status), problem.message) }
    }
  }
}

/** Start of the groups of a kind. */
const groupOf = (kind: InboxKind): string => (kind === 'gate' ? 'gates' : SOURCE_KINDS.includes(kind) ? 'source' : kind)

const SOURCE_KINDS: readonly InboxKind[] = ['deletions', 'confirmation', 'denied-steps', 'sync', 'orphan']

function reasonOf(status: number): InboxGap['reason'] {
  if (status === 503) return 'unavailable'
  return status === 401 || status === 403 ? 'refused' : 'failed'
}

function countsOf(items: readonly InboxItem[]): InboxCounts {
  const counts = { total: items.length, ...Object.fromEntries(INBOX_KINDS.map((kind) => [kind, 0])) } as InboxCounts
  for (const { kind } of items) counts[kind]++
  return counts
}
