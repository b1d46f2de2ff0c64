// What every part of the orchestrator leans on: its world, its tables, the feeds, and the sessions of the agents.
import type { ChangeFeed } from '../../platform/change-feed.ts'
import type { Forge } from '../../platform/forge/forge.ts'
import type { Audit } from '../../platform/store/audit.ts'
import type { RefusalReason } from '../../schemas/frames/refusal.ts'
import type { AgentSecrets } from './session/agent-secrets.ts'
import type { AgentStore } from './record/agent-store.ts'
import type { EventBus } from './events/event-bus.ts'
import type { LiveChange } from './face.ts'
import type { DispatchFigures } from './events/dispatch-metrics.ts'
import type { Sessions } from './session/sessions.ts'
import type { StoredWorld } from './record/world.ts'
import type { StreamHub } from './events/streams.ts'
import type { Chains } from './record/chains.ts'
import type { Transcript } from './events/transcript.ts'
import type { Firings } from './record/firings.ts'
import type { TriggerDefinition } from './workflows/triggers/contract.ts'

export interface ServiceParts extends StoredWorld {
  agents: AgentStore
  /** What each agent knows that must not be shown. */
  secrets: AgentSecrets
  audit: Audit
  /** Where issues and pull requests are listed. */
  forge: Forge
  /** The trigger types that run. */
  triggers: readonly TriggerDefinition[]
  /** What happens to agents and dispatches, for triggers. */
  events: EventBus
  /** Ids of agents that may be free for a task now. */
  freed: ChangeFeed<string>
  /** Names of queues that have got something. */
  pushes: ChangeFeed<string>
  /** Which workflows follow on the ends of dispatches. */
  chains: Chains
  /** When the triggers of workflows fire. */
  firings: Firings
  sessions: Sessions
  streams: StreamHub
  transcript: Transcript
  feed: ChangeFeed<LiveChange>
  /** True from `stop()` on: no process is started, no prompt sent, no timer set. */
  stopping: boolean
  /** While somebody waits to stop the daemon no more work is taken, until then in milliseconds since 1970. */
  drainingUntil: number | null
  /** Agents created since the daemon started. */
  created: number
  /** What became of dispatches since the daemon started. */
  figures: DispatchFigures
  /** Refused frames of agents by their reason, since the daemon started. */
  refusedFrames: Map<RefusalReason, number>
}
