import { useQuery } from '@tanstack/react-query'
import { useLive } from '../../../live/use-live.ts'

const MOST = 200

/** Name of the workflow that sent a prompt; null without a dispatch, while it is read, and if it is no longer kept. */
export function useWorkflowName(agentId: string, dispatchId: string | null): string | null {
  const { orchestrator } = useLive().clients
  const { data } = useQuery({
    queryKey: ['workflow-of', dispatchId],
    enabled: dispatchId !== null,
    queryFn: async ({ signal }) => {
      const query = { after: '', limit: MOST }
      const { items } = await orchestrator.listWorkflows({ query, signal })
      for (const { id, name } of items.filter(({ agent_id }) => agent_id === agentId)) {
        const dispatches = await orchestrator.listDispatches({ params: { id }, query, signal })
        if (dispatches.items.some((dispatch) => dispatch.id === dispatchId)) return name
      }
      return null
    },
  })
  return data ?? null
}
