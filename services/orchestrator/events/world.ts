// Events: what the orchestrator publishes to streams, to triggers and to those who follow the live resources.
import type { ChangeFeed } from '../../../platform/async/change-feed.ts'
import type { LiveChange } from '../face.ts'
import type { DispatchRecorder } from './dispatch-recorder.ts'
import type { EventBus } from './event-bus.ts'
import type { StreamHub } from './streams.ts'

export interface EventsWorld {
  /** Changes of the live resources. */
  feed: ChangeFeed<LiveChange>
  /** What happens to agents and dispatches, for triggers. */
  events: EventBus
  streams: StreamHub
  dispatches: DispatchRecorder
}
