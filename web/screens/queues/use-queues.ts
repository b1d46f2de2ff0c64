import { useQuery } from '@tanstack/react-query'
import type { QueueStats } from '../../../schemas/queue.ts'
import type { WorkflowRecord } from '../../../schemas/workflow/record.ts'
import { agentsTopic } from '../../live/topics.ts'
import { useFigure, useLive, useTopic } from '../../live/use-live.ts'
import { RUNNING_READ_MS } from '../../live/use-pages.ts'
import { useReadAgain } from '../../live/use-read-again.ts'
import { useClock } from '../../parts/time/use-clock.ts'

export interface QueuesRead {
  queues: readonly QueueStats[]
  /** Daemon time of the read. */
  at: string
}

/**
 * All queues. No topic has them: they are read again when a workflow takes a task from a queue, and when its agent begins
 * or ends a turn, and while a task is running. A push alone is seen at the next read.
 */
export function useQueues(workflows: readonly WorkflowRecord[]) {
  const { orchestrator } = useLive().clients
  const clock = useClock()
  const readers = workflows.filter(({ trigger_config }) => trigger_config.type === 'queue')
  const agentIds = new Set(readers.map(({ agent_id }) => agent_id))
  const turns = useFigure(useTopic(agentsTopic).cache, (agents) =>
    agents
      .filter(({ id }) => agentIds.has(id))
      .map(({ activity, updated_at }) => `${activity} ${updated_at}`)
      .join(),
  )
  const mark = readers.map(({ updated_at, last_fired_at }) => `${updated_at} ${last_fired_at}`).join()
  const query = useQuery({
    queryKey: ['queues'],
    queryFn: async ({ signal }): Promise<QueuesRead> => ({
      queues: await orchestrator.listQueues({ signal }),
      at: new Date(clock.now()).toISOString(),
    }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.queues.some(({ processing }) => processing > 0) ? RUNNING_READ_MS : false,
  })
  useReadAgain(`${mark} ${turns}`, query.refetch)
  return query
}
