// How a turn of an ACP program ends, as the `result` frame that ends it for the orchestrator.
import { randomUUID } from 'node:crypto'
import { objectAt, textAt, type Frame } from '../frames.ts'

export interface Outcome {
  subtype: 'success' | 'error_during_execution' | 'error_max_turns'
  /** Why the turn failed; null when it did not. */
  error: string | null
  /** True when it was interrupted. */
  aborted?: boolean
  /** As far as the program says. */
  usage?: Frame
}

export const aborted: Outcome = { subtype: 'error_during_execution', error: 'the turn was interrupted', aborted: true }

export const failed = (error: string): Outcome => ({ subtype: 'error_during_execution', error })

/** A turn that was cut short has not done what it was asked for. */
const CUT: Record<string, Outcome> = {
  cancelled: aborted,
  max_tokens: failed('the model reached its token limit'),
  max_turn_requests: { subtype: 'error_max_turns', error: 'the turn reached its limit of model requests' },
  refusal: failed('the program refused to continue'),
}

/** What the answer to `session/prompt` means. */
export function outcomeOf(answer: Frame): Outcome {
  const reason = textAt(answer, 'stopReason') ?? ''
  const usage = usageOf(objectAt(answer, 'usage'))
  if (reason === 'end_turn') return { subtype: 'success', error: null, usage }
  const cut = Object.hasOwn(CUT, reason) ? CUT[reason]! : failed(`the turn ended for an unknown reason (${reason})`)
  return { ...cut, usage }
}

/** `members` are those that the outcome does not say. */
export function resultFrame(outcome: Outcome, answer: string, members: Frame): Frame {
  const { subtype, error } = outcome
  return {
    type: 'result',
    subtype,
    is_error: error !== null,
    ...(error === null ? { result: answer } : { errors: [error] }),
    ...(outcome.aborted ? { terminal_reason: 'aborted_streaming' } : {}),
    num_turns: 1,
    usage: outcome.usage ?? usageOf({}),
    ...members,
    uuid: randomUUID(),
  }
}

function usageOf(usage: Frame): Frame {
  const count = (member: string) => {
    const value = usage[member]
    return typeof value === 'number' && value >= 0 ? value : 0
  }
  return {
    input_tokens: count('inputTokens'),
    output_tokens: count('outputTokens'),
    cache_read_input_tokens: count('cachedReadTokens'),
    cache_creation_input_tokens: count('cachedWriteTokens'),
  }
}
