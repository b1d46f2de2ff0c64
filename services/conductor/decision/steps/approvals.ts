// Step 5: approved pull requests get `merge-ready`.
import type { PullRequest } from '../../snapshot/facts.ts'
import { addLabel } from '../actions.ts'
import type { Step } from '../contract.ts'
import { hasLabel } from '../labels.ts'
import { failedChecks, reviewFinding } from '../rules.ts'
import type { RunState } from '../run-state.ts'

const EXCLUDING = ['merge-ready', 'needs-rework', 'needs-restack']

export function* approvals(run: RunState): Step {
  for (const pullRequest of run.pullRequests) {
    if (isReady(run, pullRequest)) yield* run.perform(addLabel(5, pullRequest.number, 'merge-ready'))
  }
}

/** With failed checks, step 6 would take the label off at once. */
function isReady(run: RunState, pullRequest: PullRequest): boolean {
  if (pullRequest.isDraft || EXCLUDING.some((label) => hasLabel(pullRequest, label))) return false
  const isRestacked = run.restacked.has(pullRequest.number)
  if (pullRequest.checks === null && !isRestacked) return false
  return reviewFinding(pullRequest).holds === true && failedChecks(pullRequest, isRestacked).length === 0
}
