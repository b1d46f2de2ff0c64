// Step 6: merges the queue, bottom of a stack first, and acts on the situation of each pull request in it.
import type { Situation } from '../../../../schemas/conductor/run.ts'
import type { PullRequest } from '../../snapshot/facts.ts'
import { isError, onHead } from '../actions.ts'
import type { Intent, Step } from '../contract.ts'
import { hasLabel } from '../labels.ts'
import { reportBlockedQueue, reportFailingChecks } from '../queue-reports.ts'
import { reportKey } from '../reports.ts'
import { dependsOnAge, isComputing } from '../rules.ts'
import type { RunState } from '../run-state.ts'
import { changesRequested, checksFailed, conflicting, gate, noApprovals } from '../situation-actions.ts'
import { replaceFinding, type Judgement } from '../situations.ts'
import { finishMerge } from '../stack.ts'

/** Milliseconds before each attempt to read an unknown mergeability, ten seconds in all. */
const UNKNOWN_DELAYS = [2000, 3000, 5000]

export function* merges(run: RunState): Step {
  const queue = queueOf(run)
  for (const pullRequest of run.pullRequests) run.settle(run.judge(pullRequest))
  const judged = new Map<number, Judgement>()
  /** Bases with a pull request whose branch is being updated; the others wait for it. */
  const updating = new Set<string>()
  for (const number of queue) {
    const current = yield* currentJudgement(run, number)
    if (current === null) continue
    keepReports(run, current)
    const judgement = yield* respond(run, current, updating)
    judged.set(number, judgement)
    run.settle(judgement)
    rememberHead(run, number)
    if (run.stopped) return
  }
  yield* reportFailingChecks(run, new Set(queue))
  yield* reportBlockedQueue(run, judged)
}

/** Numbers of the pull requests with `merge-ready`, by depth in their stacks, then number. */
function queueOf(run: RunState): number[] {
  const depth = ({ number, base }: PullRequest) => {
    const seen = new Set([number])
    let below = run.parentOf({ base })
    while (below && !seen.has(below.number)) {
      seen.add(below.number)
      below = run.parentOf(below)
    }
    return seen.size
  }
  return run.pullRequests
    .filter((pullRequest) => hasLabel(pullRequest, 'merge-ready'))
    .map((pullRequest) => ({ number: pullRequest.number, depth: depth(pullRequest) }))
    .sort((one, other) => one.depth - other.depth || one.number - other.number)
    .map(({ number }) => number)
}

/** Reads again before a merge, and while the forge computes. Null: no longer open. */
function* currentJudgement(run: RunState, number: number): Step<Judgement | null> {
  let pullRequest = run.pullRequest(number) ?? null
  const delays = [...UNKNOWN_DELAYS]
  for (let isFresh = false; pullRequest !== null; isFresh = true) {
    const judgement = run.judge(pullRequest)
    run.settle(judgement)
    const delay = rereadDelay(run, judgement, { isFresh, delays })
    if (delay === null) return judgement
    pullRequest = yield* run.reread(pullRequest, delay)
  }
  return null
}

/** Null: the judgement is final. */
function rereadDelay(
  run: RunState,
  { pullRequest, situation }: Judgement,
  { isFresh, delays }: { isFresh: boolean; delays: number[] },
): number | null {
  if (situation === 'eligible') return isFresh ? null : 0
  // Of a new base, the forge may still answer with the mergeability of the old one.
  const isComputed = !isComputing(pullRequest) || run.retargeted.has(pullRequest.number)
  return situation === 'unknown' && !isComputed ? (delays.shift() ?? null) : null
}

/** Reports of situations that the current one hides are still current. */
function keepReports(run: RunState, { pullRequest, rules, situation }: Judgement): void {
  const { number, head } = pullRequest
  if (rules.reviews.holds !== true) run.reports.raise(reportKey('review-needed', number))
  // The forge may refuse a merge for a gate that no fact shows.
  const hidesRefusal = situation === 'unknown' || situation === 'checks-pending'
  if (rules.gate.holds === true && !hidesRefusal) return
  for (const subject of ['gate', 'gate-stop'] as const) run.reports.raise(reportKey(subject, number, head))
}

/** The age of a head in the queue counts from the first run that finds it there. */
function rememberHead(run: RunState, number: number): void {
  const pullRequest = run.pullRequest(number)
  if (!pullRequest || !hasLabel(pullRequest, 'merge-ready')) return
  const key = reportKey('seen', number, pullRequest.head)
  if (dependsOnAge(pullRequest) || run.reports.isReported(key)) run.reports.addFirst(key)
}

/** Returns the judgement, corrected by the reply to a merge. */
function* respond(run: RunState, judgement: Judgement, updating: Set<string>): Step<Judgement> {
  const { pullRequest } = judgement
  if (judgement.situation === 'eligible') return yield* merge(run, judgement)
  if (judgement.situation === 'behind') yield* updateBranch(run, pullRequest, updating)
  else yield* resolve(run, judgement)
  return judgement
}

const ACTIONS: Partial<Record<Situation, (run: RunState, judgement: Judgement) => Step>> = {
  'changes-requested': changesRequested,
  conflicting,
  'checks-failed': checksFailed,
  'no-approvals': noApprovals,
  gate,
}

function* resolve(run: RunState, judgement: Judgement): Step {
  const action = judgement.situation === null ? undefined : ACTIONS[judgement.situation]
  if (action) yield* action(run, judgement)
}

function* updateBranch(run: RunState, pullRequest: PullRequest, updating: Set<string>): Step {
  if (pullRequest.isFork || run.isTrunkHead(pullRequest) || updating.has(pullRequest.base)) return
  updating.add(pullRequest.base)
  yield* run.perform(onHead('update-branch', pullRequest))
}

function* merge(run: RunState, judgement: Judgement): Step<Judgement> {
  const { pullRequest } = judgement
  const { number, head, title } = pullRequest
  const intent: Intent = { number, head, at: run.snapshot.time }
  yield* run.intend({ open: intent })
  const reply = yield* run.perform(onHead('merge', pullRequest, `${title} (#${number})`))
  if (reply.outcome !== 'failed') {
    yield* finishMerge(run, 6, pullRequest, intent)
    return judgement
  }
  // It may have been merged after an error, or if it is closed: the intent stays open, and the next run finds out.
  if (!isError(reply) && reply.code !== 'closed') yield* run.intend({ close: intent })
  const corrected = correctJudgement(reply.code, reply.reason, judgement)
  if (corrected !== judgement) yield* resolve(run, corrected)
  return corrected
}

function correctJudgement(code: string | undefined, reason: string | undefined, judgement: Judgement): Judgement {
  if (code === 'conflict') return replaceFinding(judgement, 'conflicting', 'mergeable', 'conflicts with its base')
  if (code !== 'gate') return judgement
  return replaceFinding(judgement, 'gate', 'gate', reason ?? 'the forge refuses the merge')
}
