// Step 3: triaged issues without an agent's label get `agent`.
import type { Step } from '../contract.ts'
import { hasLabel } from '../labels.ts'
import { labelIssues } from '../lock.ts'
import type { RunState } from '../run-state.ts'
import type { Issue } from '../../snapshot/facts.ts'

const AGENT_LABELS = [
  'agent',
  'plan-agent',
  'docs-agent',
  'enrich-agent',
  'test-agent',
  'refactor-agent',
  'research-agent',
  'security-agent',
]

export function* dispatch(run: RunState): Step {
  yield* labelIssues(run, 3, run.issues.filter(isReady), 'agent')
}

function isReady(issue: Issue): boolean {
  if (!hasLabel(issue, 'triaged') || AGENT_LABELS.some((label) => hasLabel(issue, label))) return false
  return !hasLabel(issue, 'complexity:large') || hasLabel(issue, 'plan')
}
