import { useState } from 'react'
import type { FailureFacts } from '../parts/states/notices.tsx'
import { failureFacts } from './failures.ts'

export type ActionState =
  | { kind: 'idle' }
  | { kind: 'sending' }
  | { kind: 'sent' }
  | { kind: 'failed'; facts: FailureFacts }

const IDLE: ActionState = { kind: 'idle' }

/** State of one action, shown in place. `run` ignores a second call while the first is sent. Another `id` resets it. */
export function useAction(id: string): { state: ActionState; run(work: () => Promise<unknown>): Promise<boolean> } {
  const [kept, keep] = useState<{ id: string; state: ActionState }>({ id, state: IDLE })
  const state = kept.id === id ? kept.state : IDLE
  // Another action may be on screen by then.
  const settle = (next: ActionState) => keep((now) => (now.id === id ? { id, state: next } : now))
  const run = async (work: () => Promise<unknown>) => {
    if (state.kind === 'sending') return false
    keep({ id, state: { kind: 'sending' } })
    try {
      await work()
      settle({ kind: 'sent' })
      return true
    } catch (error) {
      settle({ kind: 'failed', facts: failureFacts(error) })
      return false
    }
  }
  return { state, run }
}
