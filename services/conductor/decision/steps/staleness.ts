// Step 8: reports items without activity, and dispatched issues without a pull request.
import { type Issue, STALE_TIME } from '../../snapshot/facts.ts'
import { post } from '../actions.ts'
import type { Step } from '../contract.ts'
import { labelTime } from '../labels.ts'
import { reportKey } from '../reports.ts'
import type { RunState } from '../run-state.ts'
import { escalation, numberList, reference } from '../texts.ts'

const STEP = 8
const HOUR = 60 * 60_000
const PULL_REQUEST_TIME = 6 * HOUR
/** More stale items than this concern a person. */
const FEW_STALE = 5
/** Maximum numbers in a message; the next run reports the others. */
const MOST_REPORTED = 1000

/** Labels of agents that answer an issue with a pull request. */
const WRITING_AGENTS = ['agent', 'docs-agent', 'test-agent', 'refactor-agent', 'security-agent']

export function* staleness(run: RunState): Step {
  yield* staleItems(run)
  yield* missingPullRequests(run)
}

function* staleItems(run: RunState): Step {
  const stale = [...run.issues, ...run.pullRequests]
    .filter(({ activeAt }) => run.age(activeAt) > STALE_TIME)
    .map(({ number }) => number)
    .sort((one, other) => one - other)
  const keyOf = (number: number) => reportKey('stale', number)
  for (const number of stale) run.reports.raise(keyOf(number))
  const items = stale.filter((number) => run.reports.isDue(keyOf(number))).slice(0, MOST_REPORTED)
  if (items.length === 0) return
  const reason = `no activity for over 3 days on ${numberList(items)}; ${stale.length} items in all`
  const text = escalation('Stale', run.snapshot.repository, reason, 'continue or close them')
  // Of other items another message: a repeat after a crash has the same ones.
  const message = { id: `stale ${numberList(items)}`, items, text, wantsPerson: stale.length > FEW_STALE }
  const { outcome } = yield* run.perform(post(run, STEP, 'stale', message))
  if (outcome !== 'failed') for (const number of items) run.reports.add(keyOf(number))
}

function* missingPullRequests(run: RunState): Step {
  const answers = answerTimes(run)
  for (const issue of run.issues) {
    const since = dispatchTime(issue)
    if (since === null || run.age(since) < PULL_REQUEST_TIME) continue
    const { number } = issue
    if ((answers.get(number) ?? -Infinity) >= since) continue
    const reason = 'an agent was dispatched 6 or more hours ago and no pull request refers to the issue'
    const text = escalation('Dispatch', reference(run.snapshot.repository, number), reason, 'check the agent')
    yield* run.postOnce(
      reportKey('no-pull-request', number, since),
      post(run, STEP, 'no-pull-request', { number, text }),
    )
  }
}

/** Newest time at which an agent that writes was dispatched; null: never. */
function dispatchTime(issue: Issue): number | null {
  const times = WRITING_AGENTS.flatMap((label) => labelTime(issue, label) ?? [])
  return times.length === 0 ? null : Math.max(...times)
}

/** Time of the latest merge of a pull request for each issue; Infinity: one is open, or was merged by this run. */
function answerTimes({ snapshot }: RunState): Map<number, number> {
  const times = new Map<number, number>()
  const opened = snapshot.pullRequests.map(({ references }) => ({ references, mergedAt: Infinity }))
  for (const { references, mergedAt } of [...snapshot.merged, ...opened]) {
    // Those that are not known may be any.
    for (const issue of references ?? snapshot.issues.map(({ number }) => number))
      times.set(issue, Math.max(mergedAt, times.get(issue) ?? -Infinity))
  }
  return times
}
