// Runs the decision of the code against the replies of a case.
import type { ConductorCounts, ConductorItem, Health, Stop } from '../../../../../schemas/conductor/run.ts'
import type { Act, ActReply, Known, Reply, Step } from '../../../../../services/conductor/decision/contract.ts'
import { commit } from '../../snapshots.ts'
import type { Case } from './facts.ts'

/** What the code says of a run besides its actions. */
export interface Verdict {
  health: Health
  stopped: Stop | null
  counts: ConductorCounts
  items: readonly ConductorItem[]
  /** Reports of the next memory, by key. */
  reported: ReadonlyMap<string, number>
}
export type Decide = (known: Known) => Step<Verdict>

export interface Answer extends Verdict {
  acts: readonly Act[]
}

/** Distinct from every commit of a snapshot. */
const newHead = (number: number): string => commit(0xabc000 + number)

const REPLIES: Partial<Record<Act['action'], (given: Case, act: Act) => ActReply>> = {
  restack: ({ restacks }, { number, restack }) => {
    const answer = restacks?.[number!]
    if (answer === 'unchanged') return { outcome: 'unchanged', heads: new Map() }
    if (answer !== undefined) return { outcome: 'failed', code: answer, reason: `restack: ${answer}` }
    return { outcome: 'done', heads: new Map(restack!.branches.map((branch) => [branch.number, newHead(branch.number)])) }
  },
  merge: ({ merges }, { number }) => {
    const answer = merges?.[number!]
    return answer === undefined ? { outcome: 'done' } : { outcome: 'failed', code: answer, reason: `merge: ${answer}` }
  },
}

function rereadOf({ rereads, snapshot }: Case, number: number): Reply {
  const again = rereads?.[number]
  return again === undefined ? (snapshot.pullRequests.find((pull) => pull.number === number) ?? null) : again
}

/** More requests than any case needs. */
const MOST_REQUESTS = 1000

export function answerOf(decide: Decide, given: Case): Answer {
  const acts: Act[] = []
  const steps = decide(given)
  let step = steps.next()
  for (let requests = 0; step.done !== true; requests += 1) {
    if (requests > MOST_REQUESTS) throw new Error(`${given.group} ${given.name}: the decision does not end`)
    const request = step.value
    if ('act' in request) acts.push(request.act)
    const reply =
      'reread' in request
        ? rereadOf(given, request.reread)
        : (REPLIES[request.act.action]?.(given, request.act) ?? { outcome: 'done' as const })
    step = steps.next(reply)
  }
  return { ...step.value, acts }
}
