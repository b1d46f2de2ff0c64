import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Approval } from '../../../schemas/tools/approval.ts'
import { ActionNote } from '../../frame/action-state.tsx'
import { useMayAct } from '../../frame/decisions.ts'
import { useAction } from '../../frame/use-action.ts'
import { agentsTopic } from '../../live/topics.ts'
import { useLive, useRecord, useTopic } from '../../live/use-live.ts'

/** Time in which a connected agent receives a decision, in milliseconds. */
const DELIVERY_MS = 1000

/** Withdraws a decision that the agent does not have yet. Once it was sent, the daemon refuses. */
export function Withdrawal({ approval: { id, agent_id, status, decided_by, delivered_at } }: { approval: Approval }) {
  const { orchestrator } = useLive().clients
  const queries = useQueryClient()
  const { state, run } = useAction(`withdraw/${id}`)
  const mayAct = useMayAct('approve')
  const isDecision = (status === 'approved' || status === 'denied') && decided_by !== null
  const agent = useRecord(useTopic(agentsTopic).cache, agent_id)
  const isUndelivered = isDecision && delivered_at === null
  // The decision is sent soon after, or when the agent connects; the delivery may also overrule it.
  useEffect(() => {
    if (!isUndelivered) return
    const readAgain = () => void queries.invalidateQueries({ queryKey: ['approval', id] })
    const timer = setTimeout(readAgain, DELIVERY_MS)
    return () => clearTimeout(timer)
  }, [id, isUndelivered, agent?.connected, agent?.activity])
  if (!isUndelivered) return null
  const withdraw = async () => {
    await run(() => orchestrator.withdraw({ params: { id } }))
    await queries.invalidateQueries({ queryKey: ['approval', id] })
  }
  return (
    <p>
      Not sent to the agent yet.{' '}
      <button
        type="button"
        className="btn small"
        disabled={!mayAct || state.kind === 'sending'}
        onClick={() => void withdraw()}
      >
        Withdraw
      </button>{' '}
      <ActionNote state={state} />
    </p>
  )
}
