import { useQuery } from '@tanstack/react-query'
import type { AgentRecord } from '../../../../schemas/agent/record.ts'
import { useLive } from '../../../live/use-live.ts'

const MOST_QUEUED = 200

/** Number of prompts that wait for the agent, null while unknown. Read again after each turn. `turn`: id of the last. */
export function useQueued({ id, activity, updated_at }: AgentRecord, turn: string | null): number | null {
  const { orchestrator } = useLive().clients
  const { data } = useQuery({
    queryKey: ['queue', id, activity, updated_at, turn],
    queryFn: async ({ signal }) => {
      const query = { after: '', limit: MOST_QUEUED }
      const { items } = await orchestrator.listMessages({ params: { id }, query, signal })
      return items.filter(({ status }) => status === 'queued').length
    },
  })
  return data ?? null
}
