// Queues: tasks that wait for no agent in particular, and the workflows that take them out.
import type { ChangeFeed } from '../../../platform/async/change-feed.ts'

export interface QueuesWorld {
  /** Names of queues that have got something. */
  pushes: ChangeFeed<string>
  /** Ids of agents that may be free for a task now. */
  freed: ChangeFeed<string>
}
