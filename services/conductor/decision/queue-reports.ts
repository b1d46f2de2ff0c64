// Reports on the queue after its pull requests were judged: checks that fail for long, and a queue that cannot move.
import type { Situation } from '../../../schemas/conductor/run.ts'
import type { PullRequest } from '../snapshot/facts.ts'
import { post } from './actions.ts'
import type { Step } from './contract.ts'
import { hasLabel } from './labels.ts'
import { reportKey } from './reports.ts'
import { failedChecks } from './rules.ts'
import type { RunState } from './run-state.ts'
import type { Judgement } from './situations.ts'
import { escalation, numberList, reference } from './texts.ts'

const LONG_FAILURE = 24 * 60 * 60_000

/** `queue`: pull requests that had `merge-ready` when the step began. */
export function* reportFailingChecks(run: RunState, queue: ReadonlySet<number>): Step {
  for (const pullRequest of run.pullRequests) {
    const { number, head, isDraft, checks } = pullRequest
    const failed = failedChecks(pullRequest, run.restacked.has(number))
    const failedKey = reportKey('checks-failed', number, head)
    if (failed.length > 0 || checks === null) run.reports.raise(failedKey)
    const oldest = Math.min(...failed.map(({ endedAt }) => endedAt ?? Infinity))
    if (run.age(oldest) <= LONG_FAILURE || isDraft) continue
    if (!queue.has(number) && !run.reports.isReported(failedKey)) continue
    const reason = `${failed.length} checks failed, the first over 24 hours ago`
    const text = escalation('Merge', reference(run.snapshot.repository, number), reason, 'checks that pass')
    const message = post(run, 6, 'checks-failing', { number, sha: head, text })
    yield* run.postOnce(reportKey('checks-failing', number, head), message)
  }
}

const BLOCKED: ReadonlySet<Situation> = new Set(['held', 'draft', 'conflicting', 'no-approvals', 'gate'])

/** `judged`: the pull requests of the queue. */
export function* reportBlockedQueue(run: RunState, judged: ReadonlyMap<number, Judgement>): Step {
  const left = run.pullRequests.filter((pullRequest) => hasLabel(pullRequest, 'merge-ready'))
  if (left.length === 0 || run.merged.size > 0) return
  if (!left.every((pullRequest) => isBlocked(run, pullRequest, judged))) return
  run.isQueueBlocked = true
  const items = left.map(({ number }) => number)
  const reason = `no pull request can be merged: ${numberList(items)}`
  const text = escalation('Merge queue', run.snapshot.repository, reason, 'a person who resolves one of them')
  yield* run.postOnce(reportKey('queue-blocked'), post(run, 6, 'queue-blocked', { items, text }))
}

/** A pull request on another one is blocked if it has no parent or its parent in the queue is blocked. */
function isBlocked(run: RunState, pullRequest: PullRequest, judged: ReadonlyMap<number, Judgement>): boolean {
  const seen = new Set<number>()
  for (let current = pullRequest; !seen.has(current.number);) {
    const situation = judged.get(current.number)?.situation
    if (situation !== 'parent-open') return situation != null && BLOCKED.has(situation)
    seen.add(current.number)
    const parent = run.parentOf(current)
    // A parent closed during the run may have been merged: the next run finds out.
    if (parent === undefined) return !run.hadParent(current)
    current = parent
  }
  return false
}
