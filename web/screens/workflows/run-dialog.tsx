import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionLimit } from '../../frame/action-limit.tsx'
import { ActionNote } from '../../frame/action-state.tsx'
import { useMayAct } from '../../frame/decisions.ts'
import { useAction } from '../../frame/use-action.ts'
import { useLive } from '../../live/use-live.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { TextField, useDraft } from '../../parts/forms/fields.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import type { WorkflowRow } from './rows.ts'
import { taskOf } from './run-input.ts'

interface RunDialogProps {
  row: WorkflowRow
  /** Called with the id of the dispatch. */
  onRun(dispatchId: string): void
  onClose(): void
}

/** A task that is being written. What was typed survives a reload until it is sent. */
function useTask(id: string) {
  const [title, setTitle] = useDraft(`workflow-title/${id}`)
  const [body, setBody] = useDraft(`workflow-body/${id}`)
  const [variables, setVariables] = useDraft(`workflow-variables/${id}`)
  const [fault, setFault] = useState<string | undefined>()
  const read = () => {
    try {
      const task = taskOf({ title, body, variables })
      setFault(undefined)
      return task
    } catch (error) {
      setFault((error as Error).message)
      return null
    }
  }
  const clear = () => [setTitle, setBody, setVariables].forEach((set) => set(''))
  const fields = (
    <>
      <TextField label="Title of the task" value={title} onChange={setTitle} />
      <TextField label="Body" rows={4} value={body} onChange={setBody} />
      <TextField
        label="Variables, one key=value a line"
        rows={2}
        value={variables}
        onChange={setVariables}
        error={fault}
      />
    </>
  )
  return { fields, read, clear }
}

/** Asks for a task, and sends its prompt to the agent. */
export function RunDialog({ row: { workflow, agent }, onRun, onClose }: RunDialogProps) {
  const { id, name } = workflow
  const { orchestrator } = useLive().clients
  const queries = useQueryClient()
  const { fields, read, clear } = useTask(id)
  const { state, run } = useAction(`run/${id}`)
  const isReady = useMayAct('operator') && state.kind !== 'sending'
  const send = async () => {
    const task = read()
    if (task === null || !isReady) return
    const isSent = await run(async () => onRun((await orchestrator.triggerWorkflow({ params: { id }, body: task })).id))
    if (!isSent) return
    clear()
    void queries.invalidateQueries({ queryKey: ['dispatches', id] })
    onClose()
  }
  return (
    <Dialog title={`Run ${name} now`} focus="field" isBusy={state.kind === 'sending'} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        {fields}
        <p className="soft">
          The prompt is sent to {agent === null ? 'the agent' : <Quoted text={agent} />}, which must be connected and
          idle.
        </p>
        <p className="section">
          <button type="submit" className="btn go" disabled={!isReady}>
            Run
          </button>{' '}
          <button type="button" className="btn" disabled={state.kind === 'sending'} onClick={onClose}>
            Cancel
          </button>{' '}
          <ActionLimit guard="operator" />
        </p>
      </form>
      <ActionNote state={state} />
    </Dialog>
  )
}
