import type { World } from '../../../platform/service/world.ts'
import type { StreamHub } from '../events/streams.ts'
import type { AgentSecrets } from '../session/agent-secrets.ts'
import type { Sessions } from '../session/sessions.ts'
import type { settings } from '../settings.ts'
import type { IssueLocks } from './issue-locks.ts'

export interface Judging extends Pick<World, 'config' | 'desired'> {
  sessions: Sessions
  secrets: Pick<AgentSecrets, 'maskCut'>
}

export interface ToolsWorld extends Pick<World<typeof settings>, 'settings' | 'mux' | 'disk'> {
  judging: Judging
  locks: IssueLocks
  sessions: Sessions
  streams: StreamHub
  readonly stopping: AbortSignal
}
