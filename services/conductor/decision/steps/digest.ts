// Step 9: a digest of the changes, if there were any.
import { post } from '../actions.ts'
import type { Step } from '../contract.ts'
import type { RunState } from '../run-state.ts'

/** Maximum that fits into a message and its metadata. */
const MOST_TRANSITIONS = 100

export function* digest(run: RunState): Step {
  if (run.transitions.length === 0) return
  const counts = run.counts()
  const transitions = run.transitions.slice(0, MOST_TRANSITIONS)
  const others = run.transitions.length - transitions.length
  const text = [
    `**Run** ${run.snapshot.repository}`,
    `needs-triage: ${counts.needs_triage}`,
    `merge queue: ${counts.merge_queue}`,
    `in review: ${counts.in_review}`,
    `needs rework: ${counts.needs_rework}`,
    `active branches: ${counts.active_branches}`,
    ...transitions,
    ...(others > 0 ? [`and ${others} more`] : []),
  ].join('\n')
  yield* run.perform(post(run, 9, 'digest', { text, digest: { counts, transitions } }))
}
