import { useQuery } from '@tanstack/react-query'
import type { AgentRecord } from '../../../schemas/agent/record.ts'
import { useLive } from '../../live/use-live.ts'
import { useClock } from '../../parts/time/use-clock.ts'

/** Usage of an agent and the daemon time of its read. Read again after each change of the agent. */
export function useUsage({ id, updated_at, activity }: Pick<AgentRecord, 'id' | 'updated_at' | 'activity'>) {
  const { orchestrator } = useLive().clients
  const clock = useClock()
  return useQuery({
    queryKey: ['usage', id, updated_at, activity],
    queryFn: async ({ signal }) => {
      const usage = await orchestrator.getUsage({ params: { id }, signal })
      return { usage, at: new Date(clock.now()).toISOString() }
    },
  })
}
