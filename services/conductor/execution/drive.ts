// Runs the steps of a decision: performs each request and hands back its reply.
import type { ConductorAction, Outcome } from '../../../schemas/conductor/run.ts'
import type { Act, Step } from '../decision/contract.ts'
import type { Effects } from './effects.ts'

/** Adds each action to `actions` once its outcome is known. */
export async function drive<Result>(
  steps: Step<Result>,
  effects: Effects,
  { actions, signal, isDry }: { actions: ConductorAction[]; signal: AbortSignal; isDry: boolean },
): Promise<Result> {
  let turn = steps.next()
  while (!turn.done) {
    signal.throwIfAborted()
    const request = turn.value
    if ('act' in request) {
      const reply = await effects.perform(request.act)
      actions.push(actionOf(request.act, isDry ? 'planned' : reply.outcome, reply.reason))
      turn = steps.next(reply)
    } else if ('reread' in request) turn = steps.next(await effects.reread(request))
    else {
      await effects.intend(request)
      turn = steps.next(null)
    }
  }
  return turn.value
}

/** Without the members that only the executor needs. */
export function actionOf(act: Act, outcome: Outcome, reason: string | undefined): ConductorAction {
  const { step, action, number, label, room, about, mention, onto, base, branch, sha } = act
  return {
    step,
    action,
    number,
    label,
    room,
    about,
    mention,
    onto,
    base,
    branch,
    sha,
    outcome,
    reason: reason ?? act.reason,
  }
}
