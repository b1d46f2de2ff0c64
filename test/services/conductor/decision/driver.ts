// Drives a decision with replies of a test, and shows its actions as short lines.
import type {
  Act,
  ActReply,
  DecisionInput,
  Intent,
  Reply,
  Request,
} from '../../../../services/conductor/decision/contract.ts'
import { decision, type Decision } from '../../../../services/conductor/decision/decide.ts'
import { actionOf } from '../../../../services/conductor/execution/drive.ts'
import type { ConductorAction } from '../../../../schemas/conductor/run.ts'

interface DryRun extends Decision {
  actions: readonly ConductorAction[]
}

export interface Driven extends DryRun {
  requests: readonly Request[]
  acts: readonly Act[]
  /** For example `open #7`; `open #7 reported` of one that is not announced again. */
  intents: readonly string[]
}

/** `answer` returns undefined for the reply of a run without obstacles. */
export function drive(input: DecisionInput, answer: (request: Request) => Reply | undefined = () => undefined): Driven {
  const steps = decision(input)
  const requests: Request[] = []
  const actions: ConductorAction[] = []
  let turn = steps.next()
  while (!turn.done) {
    requests.push(turn.value)
    const given = answer(turn.value)
    const reply = given === undefined ? plainReply(turn.value) : given
    if ('act' in turn.value)
      actions.push(actionOf(turn.value.act, (reply as ActReply).outcome, (reply as ActReply).reason))
    turn = steps.next(reply)
  }
  return {
    ...turn.value,
    actions,
    requests,
    acts: requests.flatMap((request) => ('act' in request ? request.act : [])),
    intents: requests.flatMap((request) => intentLine(request) ?? []),
  }
}

/** The decision of a dry run: every write succeeds, and every read answers with the snapshot. */
export function decide(input: DecisionInput): DryRun {
  const { actions, ...decided } = drive(input)
  return { ...decided, actions: actions.map((action) => ({ ...action, outcome: 'planned' as const })) }
}

function plainReply(request: Request): Reply {
  if ('reread' in request) return request.seen
  return 'act' in request ? { outcome: 'done' } : null
}

function intentLine(request: Request): string | null {
  const line = (verb: string, { number, isReported = false }: Intent) =>
    `${verb} #${number}${isReported ? ' reported' : ''}`
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
export const linesOf = ({ actions }: Pick<DryRun, 'actions'>): string[] =>
  actions.filter(({ step }) => step <= 8).map(lineOf)

/** Actions of steps 1 to 8 of a dry run. */
export const dryLines = (input: DecisionInput): string[] => linesOf(decide(input))
