// A workflow's end of the queues: it takes a task out when its agent is free for it.
import { write } from '../../../platform/database.ts'
import type { ServiceParts } from '../parts.ts'
import type { QueueTaskRow } from '../tables.ts'
import { pullTask } from '../workflows/pull.ts'
import type { TriggeredTask } from '../workflows/triggers/contract.ts'
import { anyLate, claimTask, expireTasks } from './queue-store.ts'

export interface QueueConsumer {
  /** Takes the next task on, if there is one and the agent is free; it stays hidden from others for so long. */
  pull(queue: string, timeoutSecs: number): Promise<void>
  /** Calls back when the queue has got something, or the agent has become free. */
  onNews(queue: string, listener: () => void): () => void
}

export function queueConsumer(service: ServiceParts, workflow: { id: string; agentId: string }): QueueConsumer {
  return {
    pull: async (queue, timeoutSecs) => {
      if (await anyLate(service, queue))
        await write(service.db, (transaction) => expireTasks(service, transaction, queue))
      await pullTask(service, workflow.id, async (transaction, dispatchId) => {
        const task = await claimTask(service, transaction, { queue, dispatchId, timeoutSecs })
        return task && taskOf(task)
      })
    },
    onNews: (queue, listener) => {
      const leaveQueue = service.pushes.subscribe((pushed) => {
        if (pushed === queue) listener()
      })
      const leaveAgent = service.freed.subscribe((agentId) => {
        if (agentId === workflow.agentId) listener()
      })
      return () => {
        leaveQueue()
        leaveAgent()
      }
    },
  }
}

function taskOf({ id, queue_name, title, body, priority, retry_count }: QueueTaskRow): TriggeredTask {
  return {
    sourceId: `queue:${queue_name}:${id}:${retry_count}`,
    title,
    body,
    metadata: { queue_name, queue_task_id: id, queue_priority: String(priority) },
  }
}
