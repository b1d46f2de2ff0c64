// Published changes with their author and a cursor into the audit, for clients that reconnect.
import { SerialQueue } from '../async/serial-queue.ts'
import { unexpected } from '../async/unexpected-errors.ts'
import type { ChangeFeed, Unsubscribe } from '../async/change-feed.ts'
import { timestamp, type Clock } from '../core/clock.ts'
import type { Log } from '../core/log/log.ts'
import type { Audit } from './audit.ts'

export interface LiveChange<Kind extends string> {
  kind: Kind
  id: string
  name: string
  /** The record is unchanged, but waiting work may start. */
  idle?: true
}

/** `cursor`: how far the client has read. `by`: the author; null if nothing was written. */
export type ChangeNotice<Kind extends string> = LiveChange<Kind> & {
  cursor: number
  by: { actor: string; requestId: string; endpoint: string; at: string } | null
}

interface Parts<Kind extends string> {
  feed: ChangeFeed<LiveChange<Kind>>
  audit: Audit
  clock: Clock
  log: Log
}

interface Asked<Kind extends string> {
  kinds: readonly Kind[]
  since?: number | null
}

/** Calls `listener` for one change at a time. With `since`, first replays later changes, with the id as name. */
export function listen<Kind extends string>(
  { feed, audit, clock, log }: Parts<Kind>,
  listener: (change: ChangeNotice<Kind>) => void,
  { kinds, since = null }: Asked<Kind>,
): Unsubscribe {
  const turns = new SerialQueue()
  /** Sequence number of the last published write, per resource. */
  const lastSeqs = new Map<string, number>()
  const began = timestamp(clock)
  let cursor = since ?? 0
  let isOver = false
  const isUnpublished = (last: { seq: number; at: string }, before: number | null | undefined) =>
    before === undefined || before === null ? last.at >= began : last.seq > before
  // Publish the change even if its author cannot be read.
  const lastOf = async ({ kind, id, idle }: LiveChange<Kind>) => (idle ? null : audit.last(kind, id).catch(() => null))
  const tell = (change: LiveChange<Kind>, last: Awaited<ReturnType<typeof lastOf>>) => {
    const key = `${change.kind}/${change.id}`
    const isNew = last !== null && isUnpublished(last, lastSeqs.get(key) ?? since)
    if (last) lastSeqs.set(key, last.seq)
    if (isNew) cursor = Math.max(cursor, last.seq)
    const by = isNew ? { actor: last.actor, requestId: last.requestId, endpoint: last.endpoint, at: last.at } : null
    if (!isOver) listener({ ...change, cursor, by })
  }
  const tellAll = async (changes: readonly LiveChange<Kind>[]) => {
    const lasts = await Promise.all(changes.map(lastOf))
    for (const [at, change] of changes.entries())
      try {
        tell(change, lasts[at]!)
      } catch (error) {
        unexpected(log, 'feed', error)
      }
  }
  const pending: LiveChange<Kind>[] = []
  const isAsked = (kind: string): kind is Kind => (kinds as readonly string[]).includes(kind)
  const queue = (work: () => Promise<void>) =>
    void turns.run(async () => (isOver ? undefined : work())).catch((error: unknown) => unexpected(log, 'feed', error))
  queue(async () => {
    for (const { kind, id } of since === null ? [] : await audit.writtenAfter(since))
      if (isAsked(kind)) await tellAll([{ kind, id, name: id }])
  })
  const unsubscribe = feed.subscribe((change) => {
    if (!isAsked(change.kind)) return
    pending.push(change)
    if (pending.length === 1) queue(() => tellAll(pending.splice(0)))
  })
  return () => {
    isOver = true
    unsubscribe()
  }
}
