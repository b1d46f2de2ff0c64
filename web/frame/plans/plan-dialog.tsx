import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Plan } from '../../../schemas/plan.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { TextField } from '../../parts/forms/fields.tsx'
import { LoadingRows } from '../../parts/states/notices.tsx'
import { Age } from '../../parts/time/age.tsx'
import { ActionLimit } from '../action-limit.tsx'
import { ActionNote } from '../action-state.tsx'
import { useAwake, useMayAct } from '../decisions.ts'
import { ReadFailure } from '../topic-states.tsx'
import type { Guard } from '../permissions.ts'
import { planSummary, typedDeletions } from './plan-steps.ts'
import { PlanView } from './plan-view.tsx'
import styles from './plans.module.css'
import { useAction } from '../use-action.ts'

interface PlanDialogProps {
  title: string
  /** Label of the button. */
  action: string
  /** Identifies the plan among others. */
  id: string
  /** Permission that the action takes; default `source`. */
  guard?: Guard
  read(signal: AbortSignal): Promise<Plan>
  /** Applies the plan on screen. Rejects if it no longer holds; then a new plan is shown. */
  apply(hash: string, plan: Plan): Promise<unknown>
  /** The number of deletions must be typed. */
  isOverBudget?: boolean | ((plan: Plan) => boolean)
  /** The command line that does the same. */
  command?(plan: Plan): string
  onClose(): void
}

/** Shows the plan made now, then applies it. Another plan is shown if it has changed, and sleeps at first. */
export function PlanDialog(props: PlanDialogProps) {
  const { title, action, id, guard = 'source', read, apply, isOverBudget = false, command, onClose } = props
  const [typed, setTyped] = useState('')
  const { state, run } = useAction(id)
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['plan', id],
    queryFn: ({ signal }) => read(signal),
    staleTime: 0,
    gcTime: 0,
  })
  const isAwake = useAwake(data?.hash ?? null)
  const isReady = useMayAct(guard) && isAwake && !isFetching && state.kind !== 'sending'
  const isOver = data !== undefined && (typeof isOverBudget === 'boolean' ? isOverBudget : isOverBudget(data))
  const needed = data ? typedDeletions(data, isOver) : null
  const confirm = async (plan: Plan) => {
    if (await run(() => apply(plan.hash, plan))) return onClose()
    setTyped('')
    await refetch()
  }
  return (
    <Dialog title={title} isBusy={state.kind === 'sending'} onClose={onClose}>
      {error && <ReadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data && (
        <>
          <p className="soft">
            Plan <code>{data.hash.slice(0, 8)}</code>, made <Age at={data.created_at} ago />: {planSummary(data)}. If
            the plan changes, this opens again with the new one.
          </p>
          <PlanView plan={data} />
          {needed !== null && (
            <TextField label={`Type ${needed}, the number of deletions`} value={typed} onChange={setTyped} />
          )}
          {command && (
            <p className={styles['command']}>
              <code>{command(data)}</code>
            </p>
          )}
          <p className="section">
            <button
              type="button"
              className={needed === null ? 'btn go' : 'btn stop'}
              disabled={!isReady || data.steps.length === 0 || (needed !== null && typed !== needed.toString())}
              onClick={() => void confirm(data)}
            >
              {action}
            </button>{' '}
            <button type="button" className="btn" disabled={state.kind === 'sending'} onClick={onClose}>
              Cancel
            </button>{' '}
            <ActionLimit guard={guard} />
          </p>
        </>
      )}
      <ActionNote state={state} />
    </Dialog>
  )
}
