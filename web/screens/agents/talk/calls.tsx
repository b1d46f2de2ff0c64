import { useState, type ReactNode } from 'react'
import { Shape } from '../../../parts/states/shape.tsx'
import type { StateName } from '../../../parts/states/states.ts'
import { Diff } from '../../../parts/text/diff.tsx'
import { diffTexts } from '../../../parts/text/line-diff.ts'
import { CutText } from '../../../parts/text/cut-text.tsx'
import { CompleteText, Said } from '../../../parts/text/quoted.tsx'
import { valueText } from '../../../parts/text/value-text.ts'
import styles from './talk.module.css'
import { callsNote, callText, changeOf, isEdit, type Block, type Call } from './blocks.ts'
import { CallRequest, useDecidable } from './request.tsx'
import { Timed } from './timed.tsx'

interface CallsProps {
  block: Extract<Block, { kind: 'calls' }>
  agent: string
  whole(id: string): ReactNode
}

function callState({ result }: Call, isPending: boolean): StateName {
  if (result !== null) return result.is_error ? 'failed' : 'done'
  return isPending ? 'decision' : 'busy'
}

const WORST: readonly StateName[] = ['decision', 'failed', 'busy', 'done']

/** Characters at the end of a call that are never cut. */
const CALL_END = 20

/** Calls of one tool on one line; opened, each with its input and result. */
export function Calls({ block: { tool, calls }, agent, whole }: CallsProps) {
  const [chosen, setOpen] = useState<boolean | null>(null)
  const { ids } = useDecidable()
  const isPending = ({ result, approval }: Call) =>
    result === null && approval !== null && ids.includes(approval.approval_id)
  const open = chosen ?? (isEdit(tool) || calls.some(isPending))
  const states = calls.map((call) => callState(call, isPending(call)))
  const worst = WORST.find((state) => states.includes(state))!
  const [first] = calls
  return (
    <Timed at={first!.call.at}>
      <button type="button" className={styles['call']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Shape state={worst} />
        <b className={`cut ${styles['tool']}`}>
          <CutText text={tool} />
        </b>
        <span className="mono cut">
          <CutText text={callText(first!.call)} end={CALL_END} />
          {calls.length > 1 && <span>and {calls.length - 1} more</span>}
        </span>
        <span className={`soft fine num ${styles['note']}`}>{callsNote(calls)}</span>
      </button>
      {open &&
        calls.map((call) => (
          <OpenCall key={call.call.id} call={call} isPending={isPending(call)} agent={agent} whole={whole} />
        ))}
    </Timed>
  )
}

interface OpenCallProps extends Pick<CallsProps, 'agent' | 'whole'> {
  call: Call
  isPending: boolean
}

function OpenCall({ call: { call, result, approval }, isPending, agent, whole }: OpenCallProps) {
  return (
    <>
      {approval !== null && <CallRequest entry={approval} />}
      <CallInput call={call} isRequested={isPending} whole={whole} />
      {result !== null &&
        (result.truncated ? (
          whole(result.id)
        ) : (
          <Said by={`result of ${call.tool_name}, ${agent}`} text={result.text} />
        ))}
    </>
  )
}

interface CallInputProps extends Pick<CallsProps, 'whole'> {
  call: Call['call']
  /** The pending request above shows the complete input. */
  isRequested: boolean
}

function CallInput({ call, isRequested, whole }: CallInputProps) {
  const change = isEdit(call.tool_name) ? changeOf(call) : null
  const hunks = change === null ? null : diffTexts(change.before, change.after)
  if (change !== null && hunks !== null) return <Diff file={change.file} hunks={hunks} />
  if (isRequested) return null
  if (call.truncated) return whole(call.id)
  return <CompleteText label={`Input of ${call.tool_name}`} text={valueText(call.input)} />
}
