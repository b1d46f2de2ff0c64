import { createContext, useContext, useEffect, useRef } from 'react'
import { DecisionActions } from '../../../frame/approvals/decision-actions.tsx'
import { RequestInput } from '../../../frame/approvals/request-input.tsx'
import { useApproval } from '../../../frame/approvals/use-approval.ts'
import { useAwake } from '../../../frame/decisions.ts'
import { ReadFailure } from '../../../frame/topic-states.tsx'
import { pagePath, PageLink } from '../../../frame/page-link.tsx'
import { LoadingRows } from '../../../parts/states/notices.tsx'
import { Shape } from '../../../parts/states/shape.tsx'
import { Quoted } from '../../../parts/text/quoted.tsx'
import { Deadline } from '../../../parts/time/deadline.tsx'
import styles from './talk.module.css'
import type { ApprovalEntry } from './blocks.ts'

export interface Decidable {
  /** Approvals of the conversation that are pending, the earliest deadline first. Only the first is decided here. */
  ids: readonly string[]
  /** False until the pending requests have been read. */
  isKnown: boolean
}

const DecidableContext = createContext<Decidable>({ ids: [], isKnown: false })
export const useDecidable = (): Decidable => useContext(DecidableContext)
export const DecidableProvider = DecidableContext.Provider

/** A request for approval in its conversation: complete and decidable while it is pending, else its outcome. */
export function CallRequest({ entry }: { entry: ApprovalEntry }) {
  const { approval_id: id } = entry
  const { ids, isKnown } = useDecidable()
  // The entry has the status of when it was read.
  if (entry.status !== 'pending') return <Outcome id={id} status={entry.status} by={entry.decided_by} />
  if (ids.includes(id)) return <PendingRequest id={id} />
  return isKnown ? <LaterOutcome id={id} /> : <LoadingRows count={2} />
}

function LaterOutcome({ id }: { id: string }) {
  const { approval, error, readAgain } = useApproval(id, true)
  const isOld = approval?.status === 'pending'
  useEffect(() => {
    // Of a read before the decision.
    if (isOld) readAgain()
  }, [])
  if (error) return <ReadFailure error={error} onRetry={readAgain} />
  if (approval === null || isOld) return <LoadingRows count={1} />
  return <Outcome id={id} status={approval.status} by={approval.decided_by} />
}

function Outcome({ id, status, by }: { id: string; status: ApprovalEntry['status']; by: string | null }) {
  return (
    <p>
      <Shape state={status === 'approved' ? 'approved' : 'denied'} word={null} />{' '}
      <PageLink path={pagePath('inbox', `approval/${id}`)}>request</PageLink>{' '}
      {status?.replace('_', ' ') ?? 'no longer kept'}
      {by !== null && (
        <>
          {' '}
          by <Quoted text={by} />
        </>
      )}
    </p>
  )
}

function PendingRequest({ id }: { id: string }) {
  const { approval, error, readAgain } = useApproval(id, false)
  const { ids } = useDecidable()
  const isAwake = useAwake(approval === null ? null : id)
  const box = useRef<HTMLDivElement>(null)
  if (approval === null) return error ? <ReadFailure error={error} onRetry={readAgain} /> : <LoadingRows count={3} />
  return (
    <div ref={box} className={styles['pending']} role="group" aria-label={`Request ${id.slice(0, 8)}`}>
      <p>
        <b>
          Requests <Quoted text={approval.tool_name} />
        </b>{' '}
        <PageLink path={pagePath('inbox', `approval/${id}`)} className="tag">
          {id.slice(0, 8)}
        </PageLink>
      </p>
      <Deadline from={approval.created_at} until={approval.expires_at} then="then denied automatically" />
      <RequestInput approval={approval} />
      {ids[0] === id ? (
        <DecisionActions approval={approval} ids={[id]} isAwake={isAwake} isInSight={() => isInSight(box.current)} />
      ) : (
        <p className="soft">Decided after the request before it, or in the inbox.</p>
      )}
    </div>
  )
}

/** True if the end of the element, where its buttons are, is visible in the conversation. */
function isInSight(element: HTMLElement | null): boolean {
  const view = element?.closest('[role="log"]')?.getBoundingClientRect()
  const place = element?.getBoundingClientRect()
  return view !== undefined && place !== undefined && place.bottom <= view.bottom + 1 && place.bottom > view.top
}
