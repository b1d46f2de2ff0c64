import { useState } from 'react'
import type { InboxItem } from '../../../schemas/gateway/inbox.ts'
import { RequestProblem } from '../../client/problem.ts'
import { ActionLimit } from '../../frame/action-limit.tsx'
import { ActionNote } from '../../frame/action-state.tsx'
import { CurlMenu } from '../../frame/curl-menu.tsx'
import { useAwake, useMayAct } from '../../frame/decisions.ts'
import { PageLink } from '../../frame/page-link.tsx'
import { PlanDialog } from '../../frame/plans/plan-dialog.tsx'
import { useAction } from '../../frame/use-action.ts'
import { useLive } from '../../live/use-live.ts'
import { StateWord } from '../../parts/states/shape.tsx'
import { Deadline } from '../../parts/time/deadline.tsx'
import { Age } from '../../parts/time/age.tsx'
import { TextField, useDraft } from '../../parts/forms/fields.tsx'
import { CompleteDetail } from './complete-detail.tsx'
import { DriftFields } from './drift-fields.tsx'
import { Heading, type HeadingFocus } from './heading.tsx'
import { actionsOf, resourceOf, screenPath, sourceOf, type ItemAction } from './item-links.ts'
import { PartText } from './part-text.tsx'
import type { InboxRow } from './rows.ts'

interface HeldDetailProps {
  row: InboxRow
  focus: HeadingFocus
}

/** A decision that is no request for approval: held changes, drift, questions and notifications. */
export function HeldDetail({ row, focus }: HeldDetailProps) {
  const item = row.items[0]!
  // The same item may come to decide something else, such as another plan.
  const decided = JSON.stringify([item.id, item.title, item.links])
  const isAwake = useAwake(decided)
  const path = screenPath(item)
  const resource = resourceOf(item)
  return (
    <>
      <div className="pad">
        <Heading id={item.id} focus={focus}>
          <PartText parts={item.title} />
        </Heading>
        <p className="soft">
          <StateWord state={row.isGone ? 'done' : row.state} word={row.isGone ? 'decided' : undefined} />
          {item.since !== null && (
            <>
              , <Age at={item.since} ago />
            </>
          )}
        </p>
        {!row.isGone && item.deadline !== null && item.since !== null && (
          <Deadline from={item.since} until={item.deadline} then="then it expires" />
        )}
        <div className="section">
          <CompleteDetail item={item} />
        </div>
        {resource !== null && !row.isGone && <DriftFields {...resource} isAwake={isAwake} />}
        {path !== null && (
          <p className="section">
            <PageLink path={path}>{resource === null ? 'Show the plan' : 'Show the resource'}</PageLink>
          </p>
        )}
        {(item.kind === 'question' || item.kind === 'notification') && !row.isGone && (
          <Answer item={item} isAwake={isAwake} />
        )}
      </div>
      {!row.isGone && <HeldActions item={item} decided={decided} isAwake={isAwake} />}
    </>
  )
}

interface HeldActionsProps {
  item: InboxItem
  /** Identifies what the actions do. */
  decided: string
  isAwake: boolean
}

function HeldActions({ item, decided, isAwake }: HeldActionsProps) {
  const { clients, send } = useLive()
  const { state, run } = useAction(decided)
  const [planned, setPlanned] = useState<ItemAction | null>(null)
  const mayAct = useMayAct('source')
  const isReady = isAwake && mayAct && state.kind !== 'sending' && state.kind !== 'sent'
  const actions = actionsOf(item)
  const readPlan = ({ link }: ItemAction, signal?: AbortSignal) =>
    clients.controller.plan({ body: { source: sourceOf(item)!, ...link.body }, ...(signal && { signal }) })
  const perform = ({ link }: ItemAction) => run(() => send(link.method, link.path, link.body ?? undefined))
  return (
    <div className="actions" role="group" aria-label="Decide">
      {actions.map((action) => (
        <button
          key={action.link.operation}
          type="button"
          className="btn"
          disabled={!isReady}
          onClick={() => (action.needsPlan ? setPlanned(action) : void perform(action))}
        >
          {action.label}
        </button>
      ))}
      <ActionNote state={state} />
      {actions.length > 0 && <ActionLimit guard="source" />}
      <CurlMenu
        requests={item.links.map(({ operation, method, path, body }) => ({
          label: operation,
          method,
          path: path.replace(/^\/api/, ''),
          body: body ?? undefined,
        }))}
      />
      {planned !== null && (
        <PlanDialog
          title={`Sync ${sourceOf(item)}`}
          action="Sync now"
          id={item.id}
          read={(signal) => readPlan(planned, signal)}
          apply={async (hash) => {
            // The body pins the held steps only; the other steps must be those on screen too.
            if ((await readPlan(planned)).hash !== hash)
              throw new RequestProblem(409, 'stale-plan', 'the plan has changed since it was shown')
            await send(planned.link.method, planned.link.path, planned.link.body ?? undefined)
          }}
          isOverBudget={item.kind === 'deletions'}
          onClose={() => setPlanned(null)}
        />
      )}
    </div>
  )
}

const ANSWER_LABELS: Partial<Record<InboxItem['kind'], string>> = {
  question: 'Your answer; yes runs the proposed action, any other does not',
}

/** Answers a question or a notification. */
function Answer({ item, isAwake }: { item: InboxItem; isAwake: boolean }) {
  const { send } = useLive()
  const [text, setText] = useDraft(`answer/${item.id}`)
  const { state, run } = useAction(item.id)
  const mayAct = useMayAct('approve')
  const link = item.links.find(({ method }) => method !== 'GET')
  if (link === undefined) return null
  const field = item.kind === 'question' ? 'answer' : 'response'
  const answer = async () => {
    if (await run(() => send(link.method, link.path, { ...link.body, [field]: text }))) setText('')
  }
  return (
    <form
      className="section"
      onSubmit={(event) => {
        event.preventDefault()
        void answer()
      }}
    >
      <TextField label={ANSWER_LABELS[item.kind] ?? 'Your answer'} value={text} onChange={setText} rows={3} />
      <button type="submit" className="btn" disabled={!isAwake || !mayAct || text === '' || state.kind === 'sending'}>
        Answer
      </button>{' '}
      <ActionNote state={state} /> <ActionLimit guard="approve" />
    </form>
  )
}
