import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Approval } from '../../../schemas/tools/approval.ts'
import { useLive } from '../../live/use-live.ts'

/** The request with this id. `isGone`: it left the inbox, and its record names the person who decided it. */
export function useApproval(id: string | null, isGone: boolean) {
  const { orchestrator } = useLive().clients
  return useQuery({
    queryKey: ['approval', id, isGone],
    queryFn: ({ signal }) => orchestrator.getApproval({ params: { id: id! }, signal }),
    enabled: id !== null,
    placeholderData: keepPreviousData,
  })
}

/** The record of a request that left the inbox; undefined until it is read, and for null. */
export function useDecided(id: string | null): Approval | undefined {
  const { data } = useApproval(id, true)
  return data?.id === id ? data : undefined
}
