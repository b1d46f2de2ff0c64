import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionLimit } from '../../frame/action-limit.tsx'
import { ActionNote } from '../../frame/action-state.tsx'
import { useMayAct } from '../../frame/decisions.ts'
import { failureFacts } from '../../frame/failures.ts'
import { useAction } from '../../frame/use-action.ts'
import { useLive } from '../../live/use-live.ts'
import { shellWord } from '../../parts/commands/curl.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { TextField } from '../../parts/forms/fields.tsx'
import { FailureNotice, LoadingRows } from '../../parts/states/notices.tsx'
import { countTexts, tasksText, totalOf } from './rows.ts'

interface PurgeDialogProps {
  name: string
  onChange(): void
  onClose(): void
}

/** Deletes all tasks of a queue, once their number, read now, has been typed. */
export function PurgeDialog({ name, onChange, onClose }: PurgeDialogProps) {
  const { orchestrator } = useLive().clients
  const params = { name }
  const [typed, setTyped] = useState('')
  const { state, run } = useAction(`purge/${name}`)
  const { data, error, refetch } = useQuery({
    queryKey: ['purge', name],
    queryFn: ({ signal }) => orchestrator.queueStats({ params, signal }),
    staleTime: 0,
    gcTime: 0,
  })
  const isReady = useMayAct('operator') && state.kind !== 'sending'
  const send = async () => {
    if (!(await run(() => orchestrator.purgeQueue({ params })))) return
    onChange()
    onClose()
  }
  return (
    <Dialog title={`Purge ${name}`} isBusy={state.kind === 'sending'} onClose={onClose}>
      {error && <FailureNotice facts={failureFacts(error)} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows count={2} />}
      {data && (
        <>
          <p>
            Deletes {tasksText(totalOf(data))}:{' '}
            {countTexts(data, [])
              .map(({ text }) => text)
              .join(', ')}
            . They cannot be restored. A turn that works on one of them continues.
          </p>
          <p className="section soft">
            <code>agent orchestrator queue-purge {shellWord(name)}</code>
          </p>
          <TextField label={`Type ${totalOf(data)}, the number of tasks`} value={typed} onChange={setTyped} />
          <p className="section">
            <button
              type="button"
              className="btn stop"
              disabled={!isReady || typed !== totalOf(data).toString()}
              onClick={() => void send()}
            >
              Purge
            </button>{' '}
            <button type="button" className="btn" disabled={state.kind === 'sending'} onClick={onClose}>
              Cancel
            </button>{' '}
            <ActionLimit guard="operator" />
          </p>
        </>
      )}
      <ActionNote state={state} />
    </Dialog>
  )
}
