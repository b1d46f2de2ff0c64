import type { CheckAnswer, SuiteAnswer } from './answers.ts'
import type { Check, CheckState } from './facts.ts'

const CONCLUSIONS: Readonly<Record<string, CheckState>> = {
  SUCCESS: 'SUCCESS',
  SKIPPED: 'SKIPPED',
  NEUTRAL: 'SKIPPED',
  FAILURE: 'FAILURE',
  TIMED_OUT: 'FAILURE',
  CANCELLED: 'FAILURE',
  STARTUP_FAILURE: 'FAILURE',
  STALE: 'ERROR',
  ACTION_REQUIRED: 'GATE',
}

const STATES: Readonly<Record<string, CheckState>> = {
  SUCCESS: 'SUCCESS',
  FAILURE: 'FAILURE',
  ERROR: 'ERROR',
  PENDING: 'PENDING',
  EXPECTED: 'PENDING',
}

interface DatedCheck extends Check {
  key: string
  /** Null: a status. */
  suite: { id: string; conclusion: string | null } | null
  at: number
  /** Time from which a later one replaces it. */
  until: number
}

/**
 * Latest check of each app, workflow, event and name, or context: a job of one workflow must not hide a failed one of the
 * same name in another. One that has not passed stays beside a later one if both may be jobs of a matrix: the later one
 * began before its end, or is of the same suite, which has not passed. States that are not known are PENDING: nothing is
 * merged on them.
 */
export function latestChecks(answers: readonly CheckAnswer[]): Check[] {
  const checks = answers.map(checkOf)
  const latest = new Map<string, DatedCheck>()
  for (const check of checks) {
    const known = latest.get(check.key)
    if (!known || known.at <= check.at) latest.set(check.key, check)
  }
  return checks
    .filter((check) => {
      const last = latest.get(check.key)!
      return check === last || (!isPassed(check) && (check.until > last.at || isOfFailedSuite(check, last)))
    })
    .map(({ name, state, endedAt }) => ({ name, state, endedAt }))
}

/**
 * Runs of workflows that wait for an approval or have not ended, although none of their jobs in `answers` says so: they
 * have no jobs yet. Suites of apps are left out: the forge makes one for each app, and many apps never report.
 */
export function unfinishedRuns(suites: readonly SuiteAnswer[], answers: readonly CheckAnswer[]): Check[] {
  const jobs = answers.flatMap((each) => (each.__typename === 'CheckRun' && each.status !== 'COMPLETED' ? [each] : []))
  const shown = new Set(jobs.map(({ checkSuite }) => checkSuite.id))
  return suites.flatMap(({ id, status, conclusion, app, workflowRun }) => {
    if (workflowRun === null || shown.has(id)) return []
    const state = status === 'COMPLETED' && conclusion !== 'ACTION_REQUIRED' ? null : runState(status, conclusion)
    const { name } = workflowRun.workflow
    return state === null ? [] : [{ name: nameOf(app, name), state, endedAt: null }]
  })
}

const nameOf = (app: { slug: string } | null, name: string): string => (app === null ? name : `${app.slug}/${name}`)

const isPassed = ({ state }: Pick<Check, 'state'>): boolean => state === 'SUCCESS' || state === 'SKIPPED'

/** A suite whose failed jobs have all passed when they were repeated has passed; during a repetition it has not ended. */
function isOfFailedSuite({ suite }: DatedCheck, last: DatedCheck): boolean {
  if (suite === null || suite.conclusion === null || suite.id !== last.suite?.id) return false
  return !isPassed({ state: runState('COMPLETED', suite.conclusion) })
}

/** By ids: authors choose names of workflows, and a deleted app has none. A suite is of one app, or one run of a workflow. */
function keyOf(answer: CheckAnswer): string {
  if (answer.__typename === 'StatusContext') return JSON.stringify([answer.context])
  const { id, workflowRun } = answer.checkSuite
  const origin = workflowRun ? [workflowRun.workflow.id, workflowRun.event] : [id]
  return JSON.stringify([...origin, answer.name])
}

function checkOf(answer: CheckAnswer): DatedCheck {
  if (answer.__typename === 'StatusContext') {
    const state = STATES[answer.state] ?? 'PENDING'
    const at = Date.parse(answer.createdAt)
    const endedAt = state === 'PENDING' ? null : at
    return { key: keyOf(answer), suite: null, name: answer.context, state, endedAt, at, until: at }
  }
  const { name, status, conclusion, startedAt, completedAt, checkSuite } = answer
  const began = startedAt ?? completedAt
  const endedAt = status !== 'COMPLETED' || completedAt === null ? null : Date.parse(completedAt)
  return {
    key: keyOf(answer),
    suite: checkSuite,
    name: nameOf(checkSuite.app, name),
    state: runState(status, conclusion),
    endedAt,
    // A queued run is newer than those that began, and not than those that have no end.
    at: began === null ? Number.MAX_VALUE : Date.parse(began),
    until: endedAt ?? Number.POSITIVE_INFINITY,
  }
}

function runState(status: string, conclusion: string | null): CheckState {
  if (status === 'WAITING') return 'GATE'
  return (status === 'COMPLETED' && conclusion !== null && CONCLUSIONS[conclusion]) || 'PENDING'
}
