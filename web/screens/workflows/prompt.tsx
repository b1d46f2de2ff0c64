import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DispatchRecord, WorkflowRecord } from '../../../schemas/workflow/record.ts'
import { ActionLimit } from '../../frame/action-limit.tsx'
import { useCaller } from '../../frame/caller.tsx'
import { failureFacts } from '../../frame/failures.ts'
import { canAct } from '../../frame/permissions.ts'
import { useLive } from '../../live/use-live.ts'
import { FailureNotice, LoadingRows } from '../../parts/states/notices.tsx'
import { CompleteText } from '../../parts/text/quoted.tsx'
import { dateText } from '../../parts/time/dates.ts'
import { useNow } from '../../parts/time/use-clock.ts'
import { DISPATCH_LOOKS } from './rows.ts'
import styles from './workflows.module.css'

interface PromptPartProps {
  workflow: WorkflowRecord
  /** Newest first; null while they are read. */
  dispatches: readonly DispatchRecord[] | null
}

const STEP_MS = 60_000

/** The template, rendered with the task of a dispatch. */
export function PromptPart({ workflow, dispatches }: PromptPartProps) {
  const [chosen, choose] = useState<string | null>(null)
  const now = useNow(STEP_MS)
  const mayRender = canAct(useCaller(), 'workflow', false)
  const dispatch = dispatches?.find(({ id }) => id === chosen) ?? dispatches?.[0]
  return (
    <section className="section">
      <h2 className={styles['choice']}>
        {dispatch === undefined ? 'Prompt template' : 'Prompt, with the task of'}{' '}
        {dispatch && (
          <select
            aria-label="Recorded task"
            value={dispatch.id}
            disabled={!mayRender}
            onChange={(event) => choose(event.target.value)}
          >
            {dispatches!.map(({ id, created_at, status }) => (
              <option key={id} value={id}>
                {dateText(Date.parse(created_at), now)}, {DISPATCH_LOOKS[status].word}, {id.slice(0, 8)}
              </option>
            ))}
          </select>
        )}
      </h2>
      {dispatch && mayRender ? (
        <Rendered workflow={workflow} dispatchId={dispatch.id} />
      ) : (
        <CompleteText label="Prompt template" text={workflow.prompt_template}>
          {dispatches?.length === 0 && 'No task is recorded yet: run the workflow to see its prompt.'}
          {dispatch && <ActionLimit guard="workflow" />}
        </CompleteText>
      )}
    </section>
  )
}

function Rendered({ workflow: { id, prompt_template }, dispatchId }: { workflow: WorkflowRecord; dispatchId: string }) {
  const { orchestrator } = useLive().clients
  const { data, error, refetch } = useQuery({
    queryKey: ['prompt', id, dispatchId, prompt_template],
    queryFn: ({ signal }) => orchestrator.previewPrompt({ params: { id }, body: { dispatch_id: dispatchId }, signal }),
  })
  if (error) return <FailureNotice facts={failureFacts(error)} onRetry={() => void refetch()} />
  if (!data) return <LoadingRows count={3} />
  return <CompleteText label="Rendered prompt" text={data.prompt} />
}
