import type { ChangeFeed } from '../../../platform/async/change-feed.ts'
import type { LiveChange } from '../face.ts'
import type { DispatchRecorder } from './dispatch-recorder.ts'
import type { EventBus } from './event-bus.ts'
import type { StreamHub } from './streams.ts'

export interface EventsWorld {
  feed: ChangeFeed<LiveChange>
  events: EventBus
  streams: StreamHub
  dispatches: DispatchRecorder
}
