import { useEffect, useRef, useState } from 'react'
import type { AlikeResult, Approval, ApprovalDecision } from '../../../schemas/tools/approval.ts'
import { RequestProblem } from '../../client/problem.ts'
import { useLive, useLostAt } from '../../live/use-live.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { TextField, useDraft } from '../../parts/forms/fields.tsx'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { CompleteText, Quoted } from '../../parts/text/quoted.tsx'
import { ActionLimit } from '../action-limit.tsx'
import { ActionNote } from '../action-state.tsx'
import { CurlMenu, type NamedRequest } from '../curl-menu.tsx'
import { useMayAct } from '../decisions.ts'
import { useAction } from '../use-action.ts'
import { alikeDecisions, refusalOf, type Verdict } from './decision.ts'
import { DECISION_KEYS as KEYS } from './decision-keys.ts'
import { editedInput, requestText } from './request-text.ts'

interface DecisionActionsProps {
  approval: Approval
  /** Approvals that are decided together, the shown one first. */
  ids: readonly string[]
  isAwake: boolean
  /** False while the request is scrolled out of sight: its keys rest. Default: always in sight. */
  isInSight?(): boolean
}

/** Sends decisions on the request on screen, with the ids that it shows. */
function useDecision({ approval: { id }, ids }: Pick<DecisionActionsProps, 'approval' | 'ids'>) {
  const { orchestrator } = useLive().clients
  const { state, run } = useAction(id)
  const decideAlike = async (verdict: Verdict, decision: ApprovalDecision) => {
    const results: AlikeResult[] = []
    for (const body of alikeDecisions(verdict, ids, decision))
      results.push(...(await orchestrator.decideAlike({ body })).results)
    const refusal = refusalOf(results)
    if (refusal) throw new RequestProblem(refusal.status, refusal.code, refusal.detail)
  }
  const decide = (verdict: Verdict, decision: ApprovalDecision) =>
    run(() =>
      ids.length > 1 ? decideAlike(verdict, decision) : orchestrator[verdict]({ params: { id }, body: decision }),
    )
  return { state, decide }
}

/** The decision of one request, or of several identical ones. Each carries the id of the request on screen. */
export function DecisionActions(props: DecisionActionsProps) {
  const { approval, ids, isAwake, isInSight = () => true } = props
  const { id } = approval
  const { state, decide } = useDecision({ approval, ids })
  const [open, setOpen] = useState<'deny' | 'edit' | null>(null)
  const group = useRef<HTMLDivElement>(null)
  const mayAct = useMayAct('approve')
  const isLost = useLostAt() !== null
  const isReady = isAwake && mayAct && state.kind !== 'sending' && state.kind !== 'sent'
  const all = (verb: string) => (ids.length > 1 ? { does: `${verb} all ${ids.length}` } : {})
  const approve = { ...KEYS.approve, ...all('Approve'), look: 'yes', run: () => void decide('approve', ONCE) } as const
  const deny = { ...KEYS.deny, ...all('Deny'), look: 'stop', run: () => setOpen('deny') } as const
  const single: Action[] = [
    { ...KEYS.approveSession, look: 'wide', run: () => void decide('approve', { scope: 'session' }) },
    { ...KEYS.edit, look: 'wide', run: () => setOpen('edit') },
  ]
  // An open editor shows another input: approving the original one must not be at hand.
  const actions: Action[] = open === 'edit' ? [deny] : [approve, deny, ...(ids.length > 1 ? [] : single)]
  const isShown = () => group.current?.checkVisibility() === true && isInSight()
  useKeys(actions.map((action) => ({ ...action, run: () => isReady && isShown() && action.run() })))
  useKeys(open === 'edit' ? [{ keys: 'Esc', does: 'Close the editor', run: () => setOpen(null) }] : [])
  return (
    <>
      {open === 'edit' && (
        <Editor
          approval={approval}
          isReady={isReady}
          onCancel={() => setOpen(null)}
          onApprove={(updated_input) => decide('approve', { scope: 'once', updated_input })}
        />
      )}
      <div ref={group} className="actions" role="group" aria-label={`Decide ${id.slice(0, 8)}`}>
        {actions.map(({ keys, does, label = does, look, run }) => (
          <button key={keys} type="button" className={`btn ${look}`} disabled={!isReady} onClick={run}>
            {label} <kbd aria-hidden="true">{keys}</kbd>
          </button>
        ))}
        {isLost ? (
          <span className="soft">decisions are disabled while disconnected</span>
        ) : (
          <ActionLimit guard="approve" />
        )}
        <ActionNote state={state} />
        <CurlMenu requests={requestsOf(id, ids)} />
      </div>
      {open === 'deny' && (
        <DenyDialog
          approval={approval}
          count={ids.length}
          isReady={isReady}
          onClose={() => setOpen(null)}
          onDeny={(decision) => decide('deny', decision)}
        />
      )}
    </>
  )
}

const ONCE: ApprovalDecision = { scope: 'once' }

function requestsOf(id: string, ids: readonly string[]): NamedRequest[] {
  const base = '/orchestrator/approvals'
  return (['approve', 'deny'] as const).map((verdict) => ({
    label: verdict === 'approve' ? 'Approve' : 'Deny',
    method: 'POST',
    ...(ids.length > 1
      ? { path: `${base}/decide`, body: alikeDecisions(verdict, ids, {})[0] }
      : { path: `${base}/${id}/${verdict}`, body: verdict === 'approve' ? { scope: 'once' } : {} }),
  }))
}

interface Action {
  keys: string
  does: string
  /** On the button; default: `does`. */
  label?: string
  look: 'yes' | 'stop' | 'wide'
  run(): void
}

interface DenyDialogProps {
  approval: Approval
  /** Number of identical requests. */
  count: number
  isReady: boolean
  onClose(): void
  /** Resolves to whether the decision was accepted. */
  onDeny(decision: ApprovalDecision): Promise<boolean>
}

function DenyDialog({ approval, count, isReady, onClose, onDeny }: DenyDialogProps) {
  const { id, agent_id, agent_name, tool_name } = approval
  const [reason, setReason] = useDraft(`deny/${id}`)
  const deny = async () => {
    if (await onDeny(reason === '' ? {} : { reason })) setReason('')
    onClose()
  }
  return (
    <Dialog title={count > 1 ? `Deny ${count} identical requests` : 'Deny the request'} focus="field" onClose={onClose}>
      <p className="soft">
        <Quoted text={agent_name ?? agent_id} /> requests <Quoted text={tool_name} />, <code>{id.slice(0, 8)}</code>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) void deny()
        }}
      >
        <TextField label="Reason, which the agent receives (optional)" value={reason} onChange={setReason} />
        <button type="submit" className="btn stop" disabled={!isReady}>
          Deny
        </button>
      </form>
    </Dialog>
  )
}

interface EditorProps {
  approval: Approval
  isReady: boolean
  onCancel(): void
  /** Resolves to whether the decision was accepted. */
  onApprove(input: Record<string, unknown>): Promise<boolean>
}

/** Edits the input. Below the field it is shown as it will run, with signs for invisible characters. */
function Editor({ approval, isReady, onCancel, onApprove }: EditorProps) {
  const { field, text: original } = requestText(approval.tool_input)
  const [draft, setDraft] = useDraft(`edit/${approval.id}`)
  const [text, setText] = useState(draft === '' ? original : draft)
  const [error, setError] = useState<string | undefined>()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('textarea')?.focus(), [])
  const change = (next: string) => {
    setText(next)
    setDraft(next === original ? '' : next)
  }
  const approve = async () => {
    let input
    try {
      input = editedInput(approval.tool_input, field, text)
    } catch (fault) {
      return setError((fault as Error).message)
    }
    if (await onApprove(input)) setDraft('')
  }
  return (
    <div ref={box} className="pad">
      <TextField
        label={field ?? 'Input as JSON'}
        value={text}
        onChange={change}
        rows={6}
        error={error}
        onEscape={onCancel}
      />
      <CompleteText label="The edited request" text={text} />
      <button type="button" className="btn yes" disabled={!isReady} onClick={() => void approve()}>
        Approve the edited request
      </button>{' '}
      <button type="button" className="btn plain" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}
