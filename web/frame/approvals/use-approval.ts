import { useQuery } from '@tanstack/react-query'
import type { Approval } from '../../../schemas/tools/approval.ts'
import { useLive } from '../../live/use-live.ts'

export interface ReadApproval {
  /** The request with the wanted id, never another one; null until it is read. */
  approval: Approval | null
  error: Error | null
  readAgain(): void
}

/** The request with this id. `isGone`: it left the inbox, and its record names the person who decided it. */
export function useApproval(id: string | null, isGone: boolean): ReadApproval {
  const { orchestrator } = useLive().clients
  const isWanted = (found: Approval | undefined): found is Approval => found?.id === id
  const { data, error, refetch } = useQuery<Approval>({
    queryKey: ['approval', id, isGone],
    queryFn: ({ signal }) => orchestrator.getApproval({ params: { id: id! }, signal }),
    enabled: id !== null,
    // The same request stays on screen while its verdict is read.
    placeholderData: (previous) => (isWanted(previous) ? previous : undefined),
  })
  return { approval: isWanted(data) ? data : null, error, readAgain: () => void refetch() }
}

/** The record of a request that left the inbox; null until it is read, and for null. */
export const useDecided = (id: string | null): Approval | null => useApproval(id, true).approval
