import { expect, test } from 'vitest'
import { latestChecks } from '../../../../services/conductor/snapshot/checks.ts'
import type { CheckAnswer } from '../../../../services/conductor/snapshot/answers.ts'

const AT = '2026-05-01T10:00:00Z'
const LATER = '2026-05-01T11:00:00Z'

type Run = Extract<CheckAnswer, { __typename: 'CheckRun' }>
const run = (members: Partial<Run> = {}): Run => ({
  __typename: 'CheckRun',
  name: 'build',
  status: 'COMPLETED',
  conclusion: 'SUCCESS',
  startedAt: AT,
  completedAt: AT,
  checkSuite: { app: { slug: 'ci' }, workflowRun: null },
  ...members,
})
const status = (state: string, createdAt = AT): CheckAnswer => ({
  __typename: 'StatusContext',
  context: 'deploy',
  state,
  createdAt,
})
const states = (...answers: CheckAnswer[]) => latestChecks(answers).map(({ name, state }) => `${name} ${state}`)

test.each([
  ['SUCCESS', 'SUCCESS'],
  ['SKIPPED', 'SKIPPED'],
  ['NEUTRAL', 'SKIPPED'],
  ['FAILURE', 'FAILURE'],
  ['TIMED_OUT', 'FAILURE'],
  ['CANCELLED', 'FAILURE'],
  ['STARTUP_FAILURE', 'FAILURE'],
  ['STALE', 'ERROR'],
  ['ACTION_REQUIRED', 'GATE'],
  ['A_NEW_ONE', 'PENDING'],
])('reads the conclusion %s as %s', (conclusion, state) => {
  expect(states(run({ conclusion }))).toEqual([`ci/build ${state}`])
})

test.each([
  ['QUEUED', 'PENDING'],
  ['IN_PROGRESS', 'PENDING'],
  ['PENDING', 'PENDING'],
  ['REQUESTED', 'PENDING'],
  ['WAITING', 'GATE'],
])('reads the status %s as %s', (name, state) => {
  expect(states(run({ status: name, conclusion: null, completedAt: null }))).toEqual([`ci/build ${state}`])
})

test.each([
  ['SUCCESS', 'SUCCESS', Date.parse(AT)],
  ['FAILURE', 'FAILURE', Date.parse(AT)],
  ['ERROR', 'ERROR', Date.parse(AT)],
  ['PENDING', 'PENDING', null],
  ['EXPECTED', 'PENDING', null],
])('reads the state %s of a context as %s', (given, state, endedAt) => {
  expect(latestChecks([status(given)])).toEqual([{ name: 'deploy', state, endedAt }])
})

test('keeps the latest run of each app and name', () => {
  const older = run({ conclusion: 'FAILURE' })
  const newer = run({ startedAt: LATER, completedAt: LATER })
  expect(states(older, newer)).toEqual(['ci/build SUCCESS'])
  expect(states(newer, older)).toEqual(['ci/build SUCCESS'])
  const other = run({ conclusion: 'FAILURE', checkSuite: { app: { slug: 'lint' }, workflowRun: null } })
  expect(states(newer, other)).toEqual(['ci/build SUCCESS', 'lint/build FAILURE'])
  expect(states(status('FAILURE'), status('SUCCESS', LATER))).toEqual(['deploy SUCCESS'])
})

test('takes a queued run as newer than one that has ended', () => {
  const queued = run({ status: 'QUEUED', conclusion: null, startedAt: null, completedAt: null })
  expect(states(queued, run())).toEqual(['ci/build PENDING'])
})

test('takes the end of a run from its completion, and no end while it runs', () => {
  const running = run({ name: 'test', status: 'IN_PROGRESS', conclusion: null, completedAt: null })
  expect(latestChecks([run({ completedAt: LATER }), running])).toMatchObject([
    { endedAt: Date.parse(LATER) },
    { endedAt: null },
  ])
})

test('names a run without an app by its name', () => {
  expect(states(run({ checkSuite: { app: null, workflowRun: null } }))).toEqual(['build SUCCESS'])
})

test.each([
  ['of another workflow', { event: 'push', workflow: { name: 'lint' } }],
  ['of another event', { event: 'pull_request', workflow: { name: 'test' } }],
])('keeps a failed job %s beside a later one of the same name', (_, workflowRun) => {
  const failed = run({ conclusion: 'FAILURE', checkSuite: { app: { slug: 'actions' }, workflowRun } })
  const later = { event: 'push', workflow: { name: 'test' } }
  const passed = run({ startedAt: LATER, checkSuite: { app: { slug: 'actions' }, workflowRun: later } })
  expect(states(failed, passed)).toEqual(['actions/build FAILURE', 'actions/build SUCCESS'])
})
