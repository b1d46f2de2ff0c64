// The lock of the engineering room, while many issues change.
import type { Issue } from '../snapshot/facts.ts'
import { act, addLabel } from './actions.ts'
import type { Step } from './contract.ts'
import type { RunState } from './run-state.ts'
import { lockText, unlockText } from './texts.ts'

/** Changes to more issues than this are announced by a lock. */
const UNLOCKED_CHANGES = 3

/** Returns false, without any work done, if the lock is needed and cannot be had. `issues`: how many change. */
export function* underLock(run: RunState, step: number, issues: number, work: Step): Step<boolean> {
  if (issues <= UNLOCKED_CHANGES) {
    yield* work
    return true
  }
  const { repository } = run.snapshot
  const lock = act(step, 'lock', { room: 'engineering', text: lockText(repository, issues, step) })
  if ((yield* run.perform(lock)).outcome === 'failed') return false
  try {
    yield* work
  } finally {
    yield* run.perform(act(step, 'unlock', { room: 'engineering', text: unlockText(repository, step) }))
  }
  return true
}

/** Adds a label to issues, under the lock if they are many. */
export function* labelIssues(run: RunState, step: number, issues: readonly Issue[], label: string): Step {
  yield* underLock(run, step, issues.length, additions(run, step, issues, label))
}

function* additions(run: RunState, step: number, issues: readonly Issue[], label: string): Step {
  for (const { number } of issues) yield* run.perform(addLabel(step, number, label))
}
