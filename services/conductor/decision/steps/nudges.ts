// Step 4: nudges reviewers of pull requests labelled `review-agent`.
import type { PullRequest } from '../../snapshot/facts.ts'
import { post } from '../actions.ts'
import type { Step } from '../contract.ts'
import { labelTime } from '../labels.ts'
import { NUDGE_INTERVAL, reportKey } from '../reports.ts'
import type { RunState } from '../run-state.ts'
import { escalation, reference } from '../texts.ts'

const REVIEW_TIME = 30 * 60_000

export function* nudges(run: RunState): Step {
  for (const pullRequest of run.pullRequests) {
    if (!isOverdue(run, pullRequest)) continue
    const { number } = pullRequest
    const reason = 'no review since it was labelled review-agent 30 or more minutes ago'
    const text = escalation('Review', reference(run.snapshot.repository, number), reason, 'a review')
    yield* run.postOnce(reportKey('nudge', number), post(run, 4, 'nudge', { number, text }), NUDGE_INTERVAL)
  }
}

function isOverdue(run: RunState, pullRequest: PullRequest): boolean {
  const since = labelTime(pullRequest, 'review-agent')
  if (since === null || pullRequest.reviews === null || pullRequest.isDraft || run.age(since) < REVIEW_TIME)
    return false
  return !pullRequest.reviews.some(({ author, submittedAt }) => author !== pullRequest.author && submittedAt >= since)
}
