import { useQuery } from '@tanstack/react-query'
import type { InboxPart } from '../../../schemas/gateway/inbox.ts'
import type { Approval } from '../../../schemas/tools/approval.ts'
import { useAwake } from '../../frame/decisions.ts'
import { ReadFailure } from '../../frame/topic-states.tsx'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { useLive } from '../../live/use-live.ts'
import { LoadingRows } from '../../parts/states/notices.tsx'
import { Shape } from '../../parts/states/shape.tsx'
import { Quoted, Said } from '../../parts/text/quoted.tsx'
import { Age, Moment } from '../../parts/time/age.tsx'
import { Deadline } from '../../parts/time/deadline.tsx'
import { DecisionActions } from '../../frame/approvals/decision-actions.tsx'
import { RequestInput } from '../../frame/approvals/request-input.tsx'
import { policyReason } from '../../frame/approvals/request-text.ts'
import { useApproval } from '../../frame/approvals/use-approval.ts'
import { Heading, type HeadingFocus } from './heading.tsx'
import { PartText } from './part-text.tsx'
import { Withdrawal } from './withdrawal.tsx'

interface RequestDetailProps {
  id: string
  /** Approvals that are decided together, the shown one first. */
  ids: readonly string[]
  /** Of identical requests of several agents; null for that of one. */
  title: readonly InboxPart[] | null
  /** No longer in the list of the daemon. */
  isGone: boolean
  focus: HeadingFocus
}

type RequestProps = RequestDetailProps & { approval: Approval; isAwake: boolean }

/** A request for approval: complete, with its reason, its context and earlier decisions. */
export function RequestDetail(props: RequestDetailProps) {
  const { id, ids, isGone } = props
  const { approval, error, readAgain } = useApproval(id, isGone)
  // From when its text is on screen; identical requests that left change what is decided.
  const isAwake = useAwake(approval === null ? null : ids.join())
  if (approval === null) return error ? <ReadFailure error={error} onRetry={readAgain} /> : <LoadingRows />
  return <Request key={id} {...props} isAwake={isAwake} approval={approval} />
}

function Request({ approval, ids, title, isGone, isAwake, focus }: RequestProps) {
  const { id, agent_id, agent_name, tool_name, created_at, expires_at, status } = approval
  const agent = agent_name ?? agent_id
  return (
    <>
      <div className="pad">
        <div className="title">
          <Heading id={id} focus={focus}>
            {title === null ? (
              <>
                <PageLink path={pagePath('agents', agent_id, 'talk')}>
                  <Quoted text={agent} />
                </PageLink>{' '}
                requests <Quoted text={tool_name} />
              </>
            ) : (
              <PartText parts={title} />
            )}
          </Heading>
          <span className="tag">{id.slice(0, 8)}</span>
          {ids.length > 1 && <span className="tag">{ids.length} identical</span>}
        </div>
        {status === 'pending' ? (
          <Deadline from={created_at} until={expires_at} then="then denied automatically" />
        ) : (
          <>
            <Verdict approval={approval} />
            <Withdrawal approval={approval} />
          </>
        )}
        <RequestInput approval={approval} />
        <Why approval={approval} />
        <Context approval={approval} />
        <Similar id={id} />
      </div>
      {status === 'pending' && !isGone && <DecisionActions approval={approval} ids={ids} isAwake={isAwake} />}
    </>
  )
}

function Verdict({ approval: { status, decided_by, decided_at, reason } }: { approval: Approval }) {
  return (
    <p role="status">
      <Shape state={status === 'approved' ? 'approved' : 'denied'} word={null} /> {status.replace('_', ' ')}
      {decided_by !== null && (
        <>
          {' '}
          by <Quoted text={decided_by} />
        </>
      )}
      {decided_at !== null && (
        <>
          , <Moment at={decided_at} />
        </>
      )}
      {reason !== null && (
        <>
          : <Quoted text={reason} />
        </>
      )}
    </p>
  )
}

function Why({ approval }: { approval: Approval }) {
  const { policy, finding, effects } = approval
  const reason = policyReason(approval)
  const place = policy?.managed_by ?? null
  return (
    <section className="section">
      <h3>Why approval is needed</h3>
      {reason !== null && (
        <p>
          <Shape state="held" word={null} />{' '}
          {reason.map((part, index) =>
            'name' in part ? <Quoted key={index} text={part.name} mono /> : <span key={index}>{part.text}</span>,
          )}
          {place !== null && (
            <>
              , <Quoted text={`${place.file}:${place.line}`} mono />
            </>
          )}
        </p>
      )}
      {finding !== null && (
        <p>
          <Shape state="warning" word={null} /> {finding.reason}: <Quoted text={finding.part} mono />
        </p>
      )}
      {effects !== null && <Paths label="May change" paths={effects.writes} isWhole={effects.complete} />}
      {effects !== null && <Paths label="Reads" paths={effects.reads} isWhole={effects.complete} />}
    </section>
  )
}

function Paths({ label, paths, isWhole }: { label: string; paths: readonly string[]; isWhole: boolean }) {
  if (paths.length === 0) return null
  return (
    <p>
      {label}{' '}
      {paths.map((path, index) => (
        <span key={index}>
          {index > 0 && ', '}
          <Quoted text={path} mono />
        </span>
      ))}
      {!isWhole && ', and perhaps other paths'}
    </p>
  )
}

function Context({ approval }: { approval: Approval }) {
  const { last_text, agent_name, agent_id, workflow, directory } = approval
  return (
    <section className="section">
      <h3>Context</h3>
      {last_text !== null && <Said by={agent_name ?? agent_id} text={last_text.text} />}
      <p className="soft">
        {last_text !== null && (
          <>
            <Age at={last_text.at} ago />
            {workflow !== null && ', '}
          </>
        )}
        {workflow !== null && (
          <>
            workflow <Quoted text={workflow.name} />
          </>
        )}
        {directory !== null && (
          <>
            {' '}
            in <Quoted text={directory} mono />
          </>
        )}
      </p>
    </section>
  )
}

function Similar({ id }: { id: string }) {
  const { clients } = useLive()
  const { data = [], error } = useQuery({
    queryKey: ['similar', id],
    queryFn: ({ signal }) => clients.orchestrator.listSimilarApprovals({ params: { id }, signal }),
  })
  if (data.length === 0 && !error) return null
  return (
    <section className="section">
      <h3>Decided before</h3>
      {error && (
        <p className="soft">
          It cannot be read: <Quoted text={error.message} />.
        </p>
      )}
      <ul>
        {data.map((decision) => (
          <li key={decision.id}>
            <Shape state={decision.status} /> <Moment at={decision.decided_at} />, {decision.status}
            {decision.edited && ' with another input'}
            {decision.scope === 'session' && ' for a session'} by <Quoted text={decision.decided_by} />
            {decision.reason !== null && (
              <>
                : <Quoted text={decision.reason} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
