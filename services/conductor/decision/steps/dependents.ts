// Step 1: finishes interrupted merges, and moves pull requests whose base was merged.
import type { Intent, Step } from '../contract.ts'
import type { RunState } from '../run-state.ts'
import { finishMerge, moveDependent, RETRY_TIME } from '../stack.ts'

export function* dependents(run: RunState): Step {
  const finished = yield* resumeMerges(run)
  for (const { number } of run.pullRequests) {
    if (run.stopped) return
    const dependent = run.pullRequest(number)
    const merged = dependent && run.mergedBelow(dependent)
    // Those of a finished merge were tried: a lease that failed is left to the next run.
    if (dependent && merged && !finished.has(merged.number)) yield* moveDependent(run, 1, dependent, merged)
  }
}

/** Returns the numbers of the merged pull requests. */
function* resumeMerges(run: RunState): Step<ReadonlySet<number>> {
  const finished = new Set<number>()
  for (const intent of [...run.intents].sort((one, other) => one.number - other.number)) {
    if (run.stopped) break
    const { number, head } = intent
    const merged = run.snapshot.merged.find((each) => each.number === number && each.head === head)
    if (merged) {
      finished.add(number)
      yield* finishMerge(run, 1, merged, intent)
    } else if (!isAwaited(run, intent)) yield* run.intend({ close: intent })
  }
  return finished
}

/** After an answer that was lost, the forge may merge later than a run reads. */
function isAwaited(run: RunState, { number, head, at }: Intent): boolean {
  return run.pullRequest(number)?.head === head && run.age(at) <= RETRY_TIME
}
