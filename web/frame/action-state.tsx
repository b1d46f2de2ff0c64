import { FailureNotice } from '../parts/states/notices.tsx'
import type { ActionState } from './use-action.ts'

/** "sending", "sent" or the failure of an action, in its place. */
export function ActionNote({ state }: { state: ActionState }) {
  if (state.kind === 'failed') return <FailureNotice facts={state.facts} />
  return (
    <span className="soft" role="status">
      {state.kind === 'idle' ? '' : state.kind}
    </span>
  )
}
