// Runs the decision of the code against the replies of a case.
import type {
  Act,
  ActReply,
  DecisionInput,
  Reply,
  Request,
  Step,
} from '../../../../../services/conductor/decision/contract.ts'
import type { Decision } from '../../../../../services/conductor/decision/decide.ts'
import { commit } from '../../snapshots.ts'
import type { Case } from './facts.ts'

export type Decide = (known: DecisionInput) => Step<Decision>

export interface Answer extends Decision {
  acts: readonly Act[]
  /** Open intents at the end, by number: whether the merge is reported. */
  intents: ReadonlyMap<number, boolean>
}

/** Distinct from every commit of a snapshot. */
const newHead = (number: number): string => commit(0xabc000 + number)

const REPLIES: Partial<Record<Act['action'], (given: Case, act: Act) => ActReply>> = {
  restack: ({ restacks }, { number, restack }) => {
    const answer = restacks?.[number!]
    if (answer === 'unchanged') return { outcome: 'unchanged', heads: new Map() }
    if (answer !== undefined) return { outcome: 'failed', code: answer, reason: `restack: ${answer}` }
    return {
      outcome: 'done',
      heads: new Map(restack!.branches.map((branch) => [branch.number, newHead(branch.number)])),
    }
  },
  'delete-branch': ({ deletions }, { number }) => failureOf(deletions?.[number!]),
  post: ({ announcements }, { number, about }) =>
    failureOf(about === 'merged' || about === 'gate' ? announcements?.[number!] : undefined),
  merge: ({ merges }, { number }) => {
    const answer = merges?.[number!]
    return { ...failureOf(answer), ...(answer !== undefined && { reason: `merge: ${answer}` }) }
  },
}

const failureOf = (code: ActReply['code']): ActReply =>
  code === undefined ? { outcome: 'done' } : { outcome: 'failed', code }

function replyTo(given: Case, request: Request): Reply {
  if ('reread' in request) {
    const again = given.rereads?.[request.reread]
    return again === undefined ? request.seen : again
  }
  if (!('act' in request)) return null
  return REPLIES[request.act.action]?.(given, request.act) ?? { outcome: 'done' }
}

/** More requests than any case needs. */
const MOST_REQUESTS = 1000

export function answerOf(decide: Decide, given: Case): Answer {
  const acts: Act[] = []
  const intents = new Map(given.intents.map(({ number, isReported = false }) => [number, isReported]))
  const steps = decide(given)
  let step = steps.next()
  for (let requests = 0; step.done !== true; requests += 1) {
    if (requests > MOST_REQUESTS)
      throw new Error(`${given.group} ${JSON.stringify(given.choices)}: the decision does not end`)
    const request = step.value
    if ('act' in request) acts.push(request.act)
    if ('open' in request) intents.set(request.open.number, request.open.isReported === true)
    if ('close' in request) intents.delete(request.close.number)
    step = steps.next(replyTo(given, request))
  }
  return { ...step.value, acts, intents }
}
