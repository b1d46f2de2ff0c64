// Changes as they are told outside: each with where it stands in the audit, and with who made that very change. What was
// written while nobody listened is told to who says how far it has heard.
import { SerialQueue } from '../async/serial-queue.ts'
import { unexpected } from '../async/unexpected-errors.ts'
import type { ChangeFeed, Unsubscribe } from '../async/change-feed.ts'
import { timestamp, type Clock } from '../core/clock.ts'
import type { Log } from '../core/log/log.ts'
import type { Audit } from './audit.ts'

/** A live resource moved: what is read anew is left to the listener. */
export interface LiveChange<Kind extends string> {
  kind: Kind
  id: string
  name: string
  /** Nothing of its record changed: its work has ended, and what waits for that may go on. */
  idle?: true
}

/** A change as it is told: how far who hears it has heard then, and who made it; null where nobody wrote anything. */
export type ToldChange<Kind extends string> = LiveChange<Kind> & {
  cursor: number
  by: { actor: string; requestId: string; endpoint: string; at: string } | null
}

interface Parts<Kind extends string> {
  feed: ChangeFeed<LiveChange<Kind>>
  audit: Audit
  clock: Clock
  log: Log
}

/** What of it is asked for: changes of one kind, and what was written after a cursor. */
interface Asked<Kind extends string> {
  /** Kinds that are resources; others of the audit are left out. */
  kinds: readonly Kind[]
  since?: number | null
}

/**
 * Calls back for every change from now on, one after the other. With `since` first for what was written after that
 * cursor, with the id in place of the name.
 */
export function listen<Kind extends string>(
  { feed, audit, clock, log }: Parts<Kind>,
  listener: (change: ToldChange<Kind>) => void,
  { kinds, since = null }: Asked<Kind>,
): Unsubscribe {
  const turns = new SerialQueue()
  /** Per resource the last write that was told. */
  const told = new Map<string, number>()
  const began = timestamp(clock)
  let cursor = since ?? 0
  let isOver = false
  const isUntold = (last: { seq: number; at: string }, before: number | null | undefined) =>
    before === undefined || before === null ? last.at >= began : last.seq > before
  // Who cannot be told who made it is told all the same that it moved.
  const lastOf = async ({ kind, id, idle }: LiveChange<Kind>) => (idle ? null : audit.last(kind, id).catch(() => null))
  const tell = (change: LiveChange<Kind>, last: Awaited<ReturnType<typeof lastOf>>) => {
    const key = `${change.kind}/${change.id}`
    const isNew = last !== null && isUntold(last, told.get(key) ?? since)
    if (last) told.set(key, last.seq)
    if (isNew) cursor = Math.max(cursor, last.seq)
    const by = isNew ? { actor: last.actor, requestId: last.requestId, endpoint: last.endpoint, at: last.at } : null
    if (!isOver) listener({ ...change, cursor, by })
  }
  /** Looked up together, told one after the other. */
  const tellAll = async (changes: readonly LiveChange<Kind>[]) => {
    const lasts = await Promise.all(changes.map(lastOf))
    for (const [at, change] of changes.entries())
      try {
        tell(change, lasts[at]!)
      } catch (error) {
        unexpected(log, 'feed', error)
      }
  }
  /** Published, and not looked up yet. */
  const untold: LiveChange<Kind>[] = []
  const isAsked = (kind: string): kind is Kind => (kinds as readonly string[]).includes(kind)
  const queue = (work: () => Promise<void>) =>
    void turns.run(async () => (isOver ? undefined : work())).catch((error: unknown) => unexpected(log, 'feed', error))
  queue(async () => {
    for (const { kind, id } of since === null ? [] : await audit.writtenAfter(since))
      if (isAsked(kind)) await tellAll([{ kind, id, name: id }])
  })
  const unsubscribe = feed.subscribe((change) => {
    if (!isAsked(change.kind)) return
    untold.push(change)
    if (untold.length === 1) queue(() => tellAll(untold.splice(0)))
  })
  return () => {
    isOver = true
    unsubscribe()
  }
}
