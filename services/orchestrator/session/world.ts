// What the sessions of agents lean on beside the record and its events.
import type { ChangeFeed } from '../../../platform/async/change-feed.ts'
import type { EventsWorld } from '../events/world.ts'
import type { AgentSecrets } from './agent-secrets.ts'
import type { RefusalCounts } from './refusal-counts.ts'
import type { Sessions } from './sessions.ts'

export interface SessionWorld extends EventsWorld {
  sessions: Sessions
  /** What each agent knows that must not be shown. */
  secrets: AgentSecrets
  /** Ids of agents that may be free for a task now. */
  freed: ChangeFeed<string>
  refusals: RefusalCounts
  /** Aborted from `stop()` on: no process is started, no prompt sent, no timer set. */
  readonly stopping: AbortSignal
}
