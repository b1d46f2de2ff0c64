import type { QueueStats, QueueTask } from '../../../schemas/queue.ts'
import type { WorkflowRecord } from '../../../schemas/workflow/record.ts'
import type { StateName } from '../../parts/states/states.ts'

export interface QueueRow {
  stats: QueueStats
  state: StateName
  /** The state in one or two words. */
  word: string
  /** Workflows that take tasks from the queue. */
  readers: readonly Reader[]
}

export type Reader = Pick<WorkflowRecord, 'id' | 'name' | 'agent_id' | 'enabled' | 'last_fired_at'>

function lookOf({ dead, processing, pending }: QueueStats, isRead: boolean): [state: StateName, word: string] {
  if (dead > 0) return ['failed', 'has dead letters']
  if (processing > 0) return ['busy', 'processing']
  if (pending > 0) return isRead ? ['pending', 'pending'] : ['warning', 'no reader']
  return ['empty', 'empty']
}

/** Rows by name. */
export function queueRows(queues: readonly QueueStats[], workflows: readonly WorkflowRecord[]): QueueRow[] {
  const readers = new Map<unknown, WorkflowRecord[]>()
  for (const workflow of workflows) {
    const { queue_name } = workflow.trigger_config as { queue_name?: unknown }
    if (queue_name !== undefined) readers.set(queue_name, [...(readers.get(queue_name) ?? []), workflow])
  }
  return queues
    .map((stats) => {
      const found = readers.get(stats.queue_name) ?? []
      const isRead = found.some(({ enabled }) => enabled)
      const [state, word] = lookOf(stats, isRead)
      return { stats, state, word, readers: found }
    })
    .sort((a, b) => (a.stats.queue_name < b.stats.queue_name ? -1 : 1))
}

/** Rows that contain all words of a filter: in the name, readers or state. */
export function matchingQueues(rows: readonly QueueRow[], query: string): readonly QueueRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ stats, word, readers }) => {
    const text = [stats.queue_name, word, ...readers.map(({ name }) => name)].join(' ').toLowerCase()
    return words.every((each) => text.includes(each))
  })
}

const STATUSES = ['pending', 'processing', 'dead', 'completed'] as const satisfies readonly QueueTask['status'][]

/** Counts of tasks with their status: "5 pending". Those of `always` also if they are 0. */
export function countTexts(
  stats: QueueStats,
  always: readonly QueueTask['status'][] = ['pending', 'processing', 'dead'],
): { status: QueueTask['status']; text: string }[] {
  return STATUSES.filter((status) => stats[status] > 0 || always.includes(status)).map((status) => ({
    status,
    text: `${stats[status]} ${status}`,
  }))
}

export const totalOf = (stats: QueueStats): number => STATUSES.reduce((sum, status) => sum + stats[status], 0)

/** "1 task", "3 tasks" */
export const tasksText = (count: number): string => `${count} task${count === 1 ? '' : 's'}`

/** "attempt 2 of 3" of a task that is not finished; "3 of 3 attempts failed" of a dead one. */
export function attemptText({ status, retry_count, max_retries }: QueueTask): string {
  if (status === 'dead') return `${retry_count} of ${max_retries} attempts failed`
  return status === 'completed' ? '' : `attempt ${Math.min(retry_count + 1, max_retries)} of ${max_retries}`
}
