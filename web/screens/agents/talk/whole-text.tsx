import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReadFailure } from '../../../frame/topic-states.tsx'
import { useLive } from '../../../live/use-live.ts'
import { Said } from '../../../parts/text/quoted.tsx'

/** The text of a long entry, read when it is asked for. */
export function WholeText({ agentId, entryId, by }: { agentId: string; entryId: string; by: string }) {
  const { clients } = useLive()
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['entry', agentId, entryId],
    queryFn: ({ signal }) =>
      clients.orchestrator.getTranscriptContent({ params: { id: agentId, entry: entryId }, signal }),
    enabled: isOpen,
    gcTime: 60_000,
  })
  if (error) return <ReadFailure error={error} onRetry={() => void refetch()} />
  if (data) return <Said by={by} text={data.text} />
  return (
    <button type="button" className="btn link" disabled={isOpen} onClick={() => setOpen(true)}>
      {isOpen ? 'reading' : 'a long text: read it'}
    </button>
  )
}
