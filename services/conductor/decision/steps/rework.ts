// Step 7: dispatches the issue of a pull request that needs rework again.
import { type PullRequest, STALE_TIME } from '../../snapshot/facts.ts'
import { addLabel, post, removeLabel } from '../actions.ts'
import type { Step } from '../contract.ts'
import { hasLabel, labelTime } from '../labels.ts'
import { underLock } from '../lock.ts'
import { reportKey } from '../reports.ts'
import type { RunState } from '../run-state.ts'
import { escalation, reference } from '../texts.ts'

const STEP = 7
const MINUTE = 60_000
const REWORK_TIME = 15 * MINUTE

export function* rework(run: RunState): Step {
  const overdue = run.pullRequests.filter((pullRequest) => isOver(run, pullRequest, REWORK_TIME))
  const issues = new Set(overdue.flatMap(({ linkedIssue }) => linkedIssue ?? []))
  const changed = [...issues].filter((issue) => lacksAgent(run, issue)).length
  if (yield* underLock(run, STEP, changed, redispatch(run, overdue))) yield* staleRework(run)
  else run.reports.keep(['no-linked-issue', 'rework-stale'])
}

/** `time`: milliseconds since the label was added. */
function isOver(run: RunState, pullRequest: PullRequest, time: number): boolean {
  const since = labelTime(pullRequest, 'needs-rework')
  return since !== null && !pullRequest.isDraft && run.age(since) > time
}

function lacksAgent(run: RunState, issue: number): boolean {
  const item = run.item(issue)
  return item === undefined || !hasLabel(item, 'agent')
}

/** The label comes off last: until then, the next run finds the pull request again. */
function* redispatch(run: RunState, overdue: readonly PullRequest[]): Step {
  for (const { number, linkedIssue, references } of overdue) {
    if (references === null) continue
    if (linkedIssue === null) {
      const reason = 'it needs rework and closes no open issue'
      const text = escalation('Rework', reference(run.snapshot.repository, number), reason, 'a linked issue')
      yield* run.postOnce(reportKey('no-linked-issue', number), post(run, STEP, 'no-linked-issue', { number, text }))
    } else if (!lacksAgent(run, linkedIssue) || (yield* run.attempt(addLabel(STEP, linkedIssue, 'agent')))) {
      yield* run.perform(removeLabel(STEP, number, 'needs-rework'))
    }
  }
}

function* staleRework(run: RunState): Step {
  for (const pullRequest of run.pullRequests) {
    const { number, activeAt } = pullRequest
    if (!isOver(run, pullRequest, STALE_TIME) || run.age(activeAt) <= STALE_TIME) continue
    const reason = 'it needs rework and had no activity for over 3 days'
    const text = escalation('Rework', reference(run.snapshot.repository, number), reason, 'rework, or close it')
    yield* run.postOnce(reportKey('rework-stale', number), post(run, STEP, 'rework-stale', { number, text }))
  }
}
