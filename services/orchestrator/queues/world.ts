// What queues lean on beside the room that gives work to agents.
import type { ChangeFeed } from '../../../platform/async/change-feed.ts'
import type { DispatchWorld } from '../dispatch/world.ts'
import type { Firings } from '../record/firings.ts'

export interface QueuesWorld extends DispatchWorld {
  /** Names of queues that have got something. */
  pushes: ChangeFeed<string>
  /** When the triggers of workflows fire. */
  firings: Firings
}
