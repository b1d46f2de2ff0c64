// The answer to a program that asks for permission: one of the options that it gave.
import { isDeepStrictEqual } from 'node:util'
import { objectsAt, textAt, type Frame } from '../frames.ts'
import type { Decision } from '../permissions.ts'

const MOST_OPTIONS = 100

export interface Answer {
  allowed: boolean
  /** What the program gets. */
  response: Frame
  /** Why an allowed call does not run; null where it runs, or was denied. */
  fault: string | null
}

export const CANCELLED = { outcome: { outcome: 'cancelled' } }

/**
 * Once and no more is what is allowed: after "always" the program would not ask again. It cannot be given another
 * input than it asked with, so that a decision with another one is a denial.
 */
export function answerTo(decision: Decision, asked: Frame, options: unknown): Answer {
  if (!decision.allow) return denied(options, decision.message, null)
  if (!isDeepStrictEqual(decision.input, asked))
    return unfit(options, 'the input was changed, but the Agent Client Protocol cannot pass it to the program')
  const optionId = optionOf(options, 'allow_once')
  if (optionId === null) return unfit(options, 'the program offers no option to allow the call once')
  return { allowed: true, response: { outcome: { outcome: 'selected', optionId } }, fault: null }
}

const unfit = (options: unknown, fault: string): Answer => denied(options, fault, fault)

function denied(options: unknown, reason: string, fault: string | null): Answer {
  const optionId = optionOf(options, 'reject_once') ?? optionOf(options, 'reject_always')
  const outcome = optionId === null ? CANCELLED.outcome : { outcome: 'selected', optionId }
  return { allowed: false, response: { outcome, _meta: { svc: { reason } } }, fault }
}

function optionOf(options: unknown, kind: string): string | null {
  const given = objectsAt({ options }, 'options').slice(0, MOST_OPTIONS)
  const option = given.find((each) => each['kind'] === kind)
  return textAt(option, 'optionId')
}
