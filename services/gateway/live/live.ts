import type { Actor } from '../../../platform/core/actor.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { gauge, type Metric } from '../../../platform/metrics/metrics.ts'
import type { World } from '../../../platform/service/world.ts'
import { ChangeRows, recordChanges } from '../../../platform/store/change-rows.ts'
import type { LiveTopic } from '../../../platform/store/live-topic.ts'
import { LiveFeed } from './live-feed.ts'
import { callerOf, LiveSession, type Line, type Visitor } from './live-session.ts'

/** Open sockets of this daemon. */
const MOST_SOCKETS = 500
/** Of them, those of one caller. */
const MOST_OF_CALLER = 100

export interface Live {
  readonly metrics: readonly Metric[]
  /** Throws 429 `limit-reached` if too many sockets are open, of all callers or of this one. */
  admit(actor: Actor): void
  connect(visitor: Visitor, line: Line): LiveSession
  start(): Promise<void>
  stop(): Promise<void>
}

/** `topics`: of all services of this process, which must be open. From now on, each of their changes has a row. */
export async function openLive(
  { db, clock, log }: Pick<World, 'db' | 'clock' | 'log'>,
  topics: readonly LiveTopic[],
): Promise<Live> {
  await recordChanges(
    db,
    topics.flatMap((topic) => ('sources' in topic ? topic.sources : [])),
  )
  const feed = new LiveFeed({ clock, log, topics }, new ChangeRows(db))
  return {
    metrics: [gauge('svc_live_sockets', 'Open live sockets', () => feed.readers)],
    admit: (actor) => {
      refuseAbove(MOST_SOCKETS, feed.readers, 'the daemon')
      refuseAbove(MOST_OF_CALLER, feed.readersOf(callerOf(actor)), actor.actor)
    },
    connect: (visitor, line) => new LiveSession({ log, feed, topics }, visitor, line),
    start: async () => feed.start(),
    stop: () => feed.stop(),
  }
}

function refuseAbove(most: number, open: number, name: string): void {
  if (open < most) return
  const message = `${name} has reached the limit of ${most} live sockets: close other pages, then retry`
  throw new Problem(429, message, { code: 'limit-reached', retrySecs: 5 })
}
