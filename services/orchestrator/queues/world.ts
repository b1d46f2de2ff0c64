import type { ChangeFeed } from '../../../platform/async/change-feed.ts'

export interface QueuesWorld {
  pushes: ChangeFeed<string>
  /** Ids of agents that may have become free. */
  freed: ChangeFeed<string>
}
