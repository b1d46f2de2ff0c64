// Drives a decision with replies of a test, and shows its actions as short lines.
import type { Act, ActReply, Intent, Known, Reply, Request } from '../../../../services/conductor/decision/contract.ts'
import { decision, type Decision } from '../../../../services/conductor/decision/decide.ts'
import type { ConductorAction } from '../../../../schemas/conductor/run.ts'

export interface Driven extends Decision {
  requests: readonly Request[]
  acts: readonly Act[]
  /** For example `open merge #7`. */
  intents: readonly string[]
}

/** `answer` returns undefined for the reply of a run without obstacles. */
export function drive(known: Known, answer: (request: Request) => Reply | undefined = () => undefined): Driven {
  const steps = decision(known)
  const requests: Request[] = []
  let turn = steps.next()
  while (!turn.done) {
    requests.push(turn.value)
    const given = answer(turn.value)
    turn = steps.next(given === undefined ? plainReply(turn.value) : given)
  }
  return {
    ...turn.value,
    requests,
    acts: requests.flatMap((request) => ('act' in request ? request.act : [])),
    intents: requests.flatMap((request) => intentLine(request) ?? []),
  }
}

/** The decision of a dry run: every write succeeds, and every read answers with the snapshot. */
export function decide(known: Known): Decision {
  const { actions, ...decided } = drive(known)
  return { ...decided, actions: actions.map((action) => ({ ...action, outcome: 'planned' as const })) }
}

function plainReply(request: Request): Reply {
  if ('reread' in request) return request.seen
  return 'act' in request ? { outcome: 'done' } : null
}

function intentLine(request: Request): string | null {
  const line = (verb: string, { kind, number }: Intent) => `${verb} ${kind} #${number}`
  if ('open' in request) return line('open', request.open)
  return 'close' in request ? line('close', request.close) : null
}

/** Replies to the actions with this line, see lineOf(). */
export const replyTo =
  (line: string, reply: ActReply) =>
  (request: Request): Reply | undefined =>
    'act' in request && lineOf(request.act) === line ? reply : undefined

/** For example `6 post #7 gate` or `5 add-label #7 merge-ready`. */
export function lineOf({
  step,
  action,
  number,
  label,
  about,
  base,
  onto,
  branch,
}: Omit<ConductorAction, 'outcome'>): string {
  const place = action === 'retarget' ? base : action === 'restack' ? onto : action === 'delete-branch' ? branch : null
  const parts = [step, action, number === null ? null : `#${number}`, label, about, place]
  return parts.filter((part) => part !== null).join(' ')
}

/** Actions of steps 1 to 8. */
export const linesOf = ({ actions }: Pick<Decision, 'actions'>): string[] =>
  actions.filter(({ step }) => step <= 8).map(lineOf)

/** Actions of steps 1 to 8 of a dry run. */
export const dryLines = (known: Known): string[] => linesOf(decide(known))
