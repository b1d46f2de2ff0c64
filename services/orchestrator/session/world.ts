// What the sessions of agents lean on beside the record and its events.
import type { ChangeFeed } from '../../../platform/change-feed.ts'
import type { RefusalReason } from '../../../schemas/frames/refusal.ts'
import type { EventsWorld } from '../events/world.ts'
import type { AgentSecrets } from './agent-secrets.ts'
import type { Sessions } from './sessions.ts'

export interface SessionWorld extends EventsWorld {
  sessions: Sessions
  /** What each agent knows that must not be shown. */
  secrets: AgentSecrets
  /** Ids of agents that may be free for a task now. */
  freed: ChangeFeed<string>
  /** Refused frames of agents by their reason, since the daemon started. */
  refusedFrames: Map<RefusalReason, number>
  /** True from `stop()` on: no process is started, no prompt sent, no timer set. */
  stopping: boolean
}
