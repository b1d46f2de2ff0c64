// Step 1: finishes interrupted merges, and moves pull requests whose base was merged.
import type { Step } from '../contract.ts'
import type { Run } from '../run.ts'
import { finishMerge, moveDependent } from '../stack.ts'

export function* dependents(run: Run): Step {
  yield* interruptedWrites(run)
  for (const { number } of run.pullRequests) {
    if (run.stopped) return
    const dependent = run.pullRequest(number)
    const merged = dependent && run.mergedBelow(dependent)
    // Those of a finished merge were tried: a lease that failed is left to the next run.
    const isTried = merged !== undefined && run.merged.has(merged.number)
    if (dependent && merged && !isTried) yield* moveDependent(run, 1, dependent, merged)
  }
}

/** The rest of this step finds the pull request of an interrupted restack. */
function* interruptedWrites(run: Run): Step {
  for (const intent of [...run.intents].sort((one, other) => one.number - other.number)) {
    if (run.stopped) return
    const { kind, number, head, isConflicted } = intent
    const merged = run.snapshot.merged.find((each) => each.number === number && each.head === head)
    if (kind === 'merge' && merged) yield* finishMerge(run, 1, merged, isConflicted)
    yield* run.intend({ close: intent })
  }
}
