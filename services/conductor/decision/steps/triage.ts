// Step 2: issues without labels get `needs-triage`.
import type { Step } from '../contract.ts'
import { labelIssues } from '../lock.ts'
import type { RunState } from '../run-state.ts'

export function* triage(run: RunState): Step {
  const unlabelled = run.issues.filter(({ labels }) => labels.length === 0)
  yield* labelIssues(run, 2, unlabelled, 'needs-triage')
}
