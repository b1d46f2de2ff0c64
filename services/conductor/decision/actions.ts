// Actions of a run, with null for the fields that an action does not have.
import { SUBJECTS, type Subject } from '../../../schemas/conductor/run.ts'
import type { PullRequest } from '../snapshot/facts.ts'
import type { Act, ActReply } from './contract.ts'
import { hasLabel } from './labels.ts'
import type { RunState } from './run-state.ts'

const SECURITY_LABELS = ['security', 'security-agent', 'security-advisory']

const BLANK = {
  number: null,
  label: null,
  room: null,
  about: null,
  mention: null,
  onto: null,
  base: null,
  branch: null,
  sha: null,
  reason: null,
} as const

export const act = (step: number, action: Act['action'], given: Partial<Act>): Act => ({
  ...BLANK,
  ...given,
  step,
  action,
})

export const addLabel = (step: number, number: number, label: string): Act => act(step, 'add-label', { number, label })

export const removeLabel = (step: number, number: number, label: string): Act =>
  act(step, 'remove-label', { number, label })

/** Actions of step 6 on the head of a pull request. */
export const onHead = (action: Act['action'], { number, branch, base, head }: PullRequest, text?: string): Act =>
  act(6, action, { number, branch, base, sha: head, ...(text !== undefined && { text }) })

/** The action failed for a reason that may pass, so a later run tries it again. */
export const isError = ({ outcome, code = 'error' }: ActReply): boolean => outcome === 'failed' && code === 'error'

interface Message {
  number?: number
  /** Head that the message is about. */
  sha?: string
  items?: readonly number[]
  /** See Act. */
  id?: string
  text: string
  /** A person is mentioned; always in the engineering room about an item that concerns security. */
  wantsPerson?: boolean
  digest?: Act['digest']
}

/** A message to the room of its subject. */
export function post(
  run: RunState,
  step: number,
  about: Subject,
  { number, wantsPerson = false, ...given }: Message,
): Act {
  const room = (SUBJECTS.engineering as readonly Subject[]).includes(about) ? 'engineering' : 'operations'
  const item = number === undefined ? undefined : run.item(number)
  const isSecurity = item !== undefined && SECURITY_LABELS.some((label) => hasLabel(item, label))
  const mention = wantsPerson || (room === 'engineering' && isSecurity) ? run.mention : null
  const text = mention === null ? given.text : `${mention} ${given.text}`
  return act(step, 'post', { ...given, number: number ?? null, room, about, mention, text })
}
