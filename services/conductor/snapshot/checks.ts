import type { CheckAnswer } from './answers.ts'
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
  at: number
}

/**
 * Latest check of each app, workflow, event and name, or context: a job of one workflow must not hide a failed one of the
 * same name in another. States that are not known are PENDING: nothing is merged on them.
 */
export function latestChecks(answers: readonly CheckAnswer[]): Check[] {
  const latest = new Map<string, DatedCheck>()
  for (const answer of answers) {
    const [check, key] = [checkOf(answer), keyOf(answer)]
    const known = latest.get(key)
    if (!known || known.at <= check.at) latest.set(key, check)
  }
  return [...latest.values()].map(({ name, state, endedAt }) => ({ name, state, endedAt }))
}

function keyOf(answer: CheckAnswer): string {
  if (answer.__typename === 'StatusContext') return JSON.stringify([answer.context])
  const { app, workflowRun } = answer.checkSuite
  return JSON.stringify([app?.slug, workflowRun?.workflow.name, workflowRun?.event, answer.name])
}

function checkOf(answer: CheckAnswer): DatedCheck {
  if (answer.__typename === 'StatusContext') {
    const state = STATES[answer.state] ?? 'PENDING'
    const at = Date.parse(answer.createdAt)
    return { name: answer.context, state, endedAt: state === 'PENDING' ? null : at, at }
  }
  const { name, status, conclusion, startedAt, completedAt, checkSuite } = answer
  const began = startedAt ?? completedAt
  return {
    name: checkSuite.app === null ? name : `${checkSuite.app.slug}/${name}`,
    state: runState(status, conclusion),
    endedAt: status !== 'COMPLETED' || completedAt === null ? null : Date.parse(completedAt),
    // A queued run is newer than those that began.
    at: began === null ? Number.POSITIVE_INFINITY : Date.parse(began),
  }
}

function runState(status: string, conclusion: string | null): CheckState {
  if (status === 'WAITING') return 'GATE'
  return (status === 'COMPLETED' && conclusion !== null && CONCLUSIONS[conclusion]) || 'PENDING'
}
