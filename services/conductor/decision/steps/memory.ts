// Step 10: stores the state of the run, then takes the label off that requested it.
import { act, removeLabel } from '../actions.ts'
import type { Step } from '../contract.ts'
import { hasLabel } from '../labels.ts'
import type { RunState } from '../run-state.ts'

const STEP = 10
const REQUEST = 'conductor-sync'

export function* memory(run: RunState): Step {
  yield* run.perform(act(STEP, 'remember', { record: run.record() }))
  const requests = [...run.issues, ...run.pullRequests].filter((item) => hasLabel(item, REQUEST))
  for (const { number } of requests.sort((one, other) => one.number - other.number))
    yield* run.perform(removeLabel(STEP, number, REQUEST))
}
