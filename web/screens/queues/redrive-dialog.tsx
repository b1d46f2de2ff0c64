import type { QueueStats } from '../../../schemas/queue.ts'
import { ActionNote } from '../../frame/action-state.tsx'
import { useMayAct } from '../../frame/decisions.ts'
import { useAction } from '../../frame/use-action.ts'
import { useLive } from '../../live/use-live.ts'
import { shellWord } from '../../parts/commands/curl.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { tasksText } from './rows.ts'

interface RedriveDialogProps {
  stats: QueueStats
  onChange(): void
  onClose(): void
}

/** Makes all dead tasks pending again. */
export function RedriveDialog({ stats: { queue_name: name, dead }, onChange, onClose }: RedriveDialogProps) {
  const { orchestrator } = useLive().clients
  const { state, run } = useAction(`redrive/${name}`)
  const isReady = useMayAct('operator') && state.kind !== 'sending'
  const send = async () => {
    if (!(await run(() => orchestrator.redriveQueue({ params: { name } })))) return
    onChange()
    onClose()
  }
  return (
    <Dialog title={`Redrive ${tasksText(dead)} of ${name}`} isBusy={state.kind === 'sending'} onClose={onClose}>
      <p>
        All dead tasks of the queue become pending, with all their attempts. An agent may have worked on a part of them
        already.
      </p>
      <p className="section soft">
        <code>agent orchestrator queue-redrive {shellWord(name)}</code>
      </p>
      <p className="section">
        <button type="button" className="btn go" disabled={!isReady} onClick={() => void send()}>
          Redrive
        </button>{' '}
        <button type="button" className="btn" disabled={state.kind === 'sending'} onClick={onClose}>
          Cancel
        </button>
      </p>
      <ActionNote state={state} />
    </Dialog>
  )
}
