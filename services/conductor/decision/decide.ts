// The decision of a run: the steps of the conductor in order. Pure: effects are requests to an executor.
import type { ConductorItem, ConductorProblem } from '../../../schemas/conductor/run.ts'
import type { DecisionInput, RunRecord, Step } from './contract.ts'
import { RunState } from './run-state.ts'
import { approvals } from './steps/approvals.ts'
import { dependents } from './steps/dependents.ts'
import { digest } from './steps/digest.ts'
import { dispatch } from './steps/dispatch.ts'
import { memory } from './steps/memory.ts'
import { merges } from './steps/merges.ts'
import { nudges } from './steps/nudges.ts'
import { rework } from './steps/rework.ts'
import { staleness } from './steps/staleness.ts'
import { triage } from './steps/triage.ts'

/** The state after a run; `reported`: for the next run. */
export interface Decision extends RunRecord {
  items: readonly ConductorItem[]
  problems: readonly ConductorProblem[]
  /** Changes of labels, bases, heads and merges, one line each. */
  transitions: readonly string[]
}

/** Steps 1 to 8. A stop leaves out the rest of them. */
const STEPS = [dependents, triage, dispatch, nudges, approvals, merges, rework, staleness]

/** Yields the requests of a run and returns its result. */
export function* decision(input: DecisionInput): Step<Decision> {
  const run = new RunState(input)
  for (const step of STEPS) {
    if (run.stopped) break
    yield* step(run)
  }
  yield* digest(run)
  yield* memory(run)
  return { ...run.record(), items: run.items(), problems: run.problems, transitions: run.transitions }
}
