import type { WorkflowRecord } from '../../../schemas/workflow/record.ts'
import { ActionLimit } from '../../frame/action-limit.tsx'
import { ActionNote } from '../../frame/action-state.tsx'
import { useMayAct } from '../../frame/decisions.ts'
import { useAction } from '../../frame/use-action.ts'
import { stateTopic } from '../../live/topics.ts'
import { useLive, useRecord, useTopic } from '../../live/use-live.ts'
import { shellWord } from '../../parts/commands/curl.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'

/** Says what enabling or disabling changes, then does it. */
export function EnableDialog({ workflow, onClose }: { workflow: WorkflowRecord; onClose(): void }) {
  const { id, name, enabled } = workflow
  const { orchestrator } = useLive().clients
  const resource = useRecord(useTopic(stateTopic).cache, `workflows/${name}`)
  const { state, run } = useAction(`enable/${id}`)
  const isReady = useMayAct('workflow') && state.kind !== 'sending'
  const action = enabled ? 'Disable' : 'Enable'
  const send = async () => {
    if (await run(() => orchestrator.updateWorkflow({ params: { id }, body: { enabled: !enabled } }))) onClose()
  }
  return (
    <Dialog title={`${action} ${name}`} isBusy={state.kind === 'sending'} onClose={onClose}>
      <p>
        {enabled
          ? 'Its trigger stops, and its pending tasks are skipped. A running dispatch continues.'
          : 'Its trigger starts again.'}
      </p>
      {resource && (
        <p className="section">
          <Quoted text={`${resource.file}:${resource.line}`} mono /> declares this workflow. The change is reported as
          drift, and is reverted if its source heals drift.
        </p>
      )}
      <p className="section soft">
        <code>
          agent orchestrator update-workflow {shellWord(name)} --{action.toLowerCase()}
        </code>
      </p>
      <p className="section">
        <button
          type="button"
          className={enabled ? 'btn stop' : 'btn go'}
          disabled={!isReady}
          onClick={() => void send()}
        >
          {action}
        </button>{' '}
        <button type="button" className="btn" disabled={state.kind === 'sending'} onClick={onClose}>
          Cancel
        </button>{' '}
        <ActionLimit guard="workflow" />
      </p>
      <ActionNote state={state} />
    </Dialog>
  )
}
