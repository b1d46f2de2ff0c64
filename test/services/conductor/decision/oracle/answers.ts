// Runs the decision of the code against the replies of a case.
import type { Act, ActReply, Known, Reply, Request, Step } from '../../../../../services/conductor/decision/contract.ts'
import type { Decision } from '../../../../../services/conductor/decision/decide.ts'
import { commit } from '../../snapshots.ts'
import type { Case } from './facts.ts'

export type Decide = (known: Known) => Step<Decision>

export interface Answer extends Decision {
  acts: readonly Act[]
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
  merge: ({ merges }, { number }) => {
    const answer = merges?.[number!]
    return answer === undefined ? { outcome: 'done' } : { outcome: 'failed', code: answer, reason: `merge: ${answer}` }
  },
}

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
  const steps = decide(given)
  let step = steps.next()
  for (let requests = 0; step.done !== true; requests += 1) {
    if (requests > MOST_REQUESTS)
      throw new Error(`${given.group} ${JSON.stringify(given.choices)}: the decision does not end`)
    const request = step.value
    if ('act' in request) acts.push(request.act)
    step = steps.next(replyTo(given, request))
  }
  return { ...step.value, acts }
}
