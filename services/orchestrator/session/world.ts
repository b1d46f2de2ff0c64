import type { ChangeFeed } from '../../../platform/async/change-feed.ts'
import type { Announcer } from './announcer.ts'
import type { AgentSecrets } from './agent-secrets.ts'
import type { Sessions } from './sessions.ts'

export interface SessionWorld {
  sessions: Sessions
  secrets: AgentSecrets
  announcer: Announcer
  freed: ChangeFeed<string>
  /** Aborted on stop: no process, prompt or timer may be started after that. */
  readonly stopping: AbortSignal
}
