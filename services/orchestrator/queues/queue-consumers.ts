import { write, type Knex } from '../../../platform/database/database.ts'
import type { QueueTaskRow } from '../record/tables.ts'
import type { RecordWorld, Writing } from '../record/world.ts'
import { TaskPulls, type PullParts, type Wanted } from './task-pulls.ts'
import type { QueuesWorld } from './world.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'
import { claimTasks, expireTasks, checkQueue } from '../record/queue-store.ts'

export interface QueueConsumer {
  /** Claims a task, and hides it from other consumers for `timeoutSecs`. */
  pull(queue: string, timeoutSecs: number): Promise<void>
  onNews(queue: string, listener: () => void): () => void
}

interface Place {
  queue: string
  timeoutSecs: number
}

export class QueueConsumers {
  readonly #record: RecordWorld
  readonly #feeds: QueuesWorld
  readonly #pulls: TaskPulls<Place>

  constructor(record: RecordWorld, feeds: QueuesWorld, parts: PullParts) {
    this.#record = record
    this.#feeds = feeds
    this.#pulls = new TaskPulls(record, parts, (transaction, wanted) => claimAll(record, transaction, wanted))
  }

  consumer(workflow: { id: string; agentId: string }): QueueConsumer {
    const record = this.#record
    const { pushes, freed } = this.#feeds
    return {
      pull: async (queue, timeoutSecs) => {
        const { late, free } = await checkQueue(record, queue)
        if (late) await write(record.db, (transaction) => expireTasks(record, transaction, queue))
        // A later push wakes the consumer again.
        if (late || free) await this.#pulls.pull(workflow.id, { queue, timeoutSecs })
      },
      onNews: (queue, listener) => {
        const leaveQueue = pushes.subscribe((pushed) => {
          if (pushed === queue) listener()
        })
        const leaveAgent = freed.subscribe((agentId) => {
          if (agentId === workflow.agentId) listener()
        })
        return () => {
          leaveQueue()
          leaveAgent()
        }
      },
    }
  }
}

async function claimAll(
  record: Writing,
  transaction: Knex,
  wanted: readonly Wanted<Place>[],
): Promise<(TriggeredTask | null)[]> {
  const places = new Map<string, { place: Place; dispatchIds: string[] }>()
  for (const { from, dispatchId } of wanted) {
    const key = JSON.stringify([from.queue, from.timeoutSecs])
    const found = places.get(key)
    if (found) found.dispatchIds.push(dispatchId)
    else places.set(key, { place: from, dispatchIds: [dispatchId] })
  }
  const tasks = new Map<string | null, TriggeredTask>()
  for (const { place, dispatchIds } of places.values())
    for (const row of await claimTasks(record, transaction, { ...place, dispatchIds }))
      tasks.set(row.dispatch_id, taskOf(row))
  return wanted.map(({ dispatchId }) => tasks.get(dispatchId) ?? null)
}

export function taskOf({ id, queue_name, title, body, priority, retry_count, by_agent }: QueueTaskRow): TriggeredTask {
  return {
    sourceId: `queue:${queue_name}:${id}:${retry_count}`,
    title,
    body,
    metadata: { queue_name, queue_task_id: id, queue_priority: String(priority) },
    byAgent: by_agent,
  }
}
