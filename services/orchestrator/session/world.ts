// Sessions: what the daemon knows of each running agent beyond its record, its connection first of all.
import type { ChangeFeed } from '../../../platform/async/change-feed.ts'
import type { Announcer } from './announcer.ts'
import type { AgentSecrets } from './agent-secrets.ts'
import type { Sessions } from './sessions.ts'

export interface SessionWorld {
  sessions: Sessions
  /** What each agent knows that must not be shown. */
  secrets: AgentSecrets
  announcer: Announcer
  /** Ids of agents that may be free for a task now. */
  freed: ChangeFeed<string>
  /** Aborted when the orchestrator stops: from then on it starts no process, sends no prompt and sets no timer. */
  readonly stopping: AbortSignal
}
