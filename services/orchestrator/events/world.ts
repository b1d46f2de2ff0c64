// What publishing leans on beside the record.
import type { ChangeFeed } from '../../../platform/async/change-feed.ts'
import type { LiveChange } from '../face.ts'
import type { RecordWorld } from '../record/world.ts'
import type { DispatchMetrics } from './dispatch-metrics.ts'
import type { EventBus } from './event-bus.ts'
import type { StreamHub } from './streams.ts'

export interface EventsWorld extends RecordWorld {
  /** Changes of the live resources. */
  feed: ChangeFeed<LiveChange>
  /** What happens to agents and dispatches, for triggers. */
  events: EventBus
  streams: StreamHub
  /** What became of dispatches since the daemon started. */
  figures: DispatchMetrics
}
