import { expect, test } from 'vitest'
import { latestChecks, unfinishedRuns } from '../../../../services/conductor/snapshot/checks.ts'
import type { CheckAnswer, SuiteAnswer } from '../../../../services/conductor/snapshot/answers.ts'

const AT = '2026-05-01T10:00:00Z'
const LATER = '2026-05-01T11:00:00Z'
const LATEST = '2026-05-01T12:00:00Z'

type Run = Extract<CheckAnswer, { __typename: 'CheckRun' }>
const suite = (id: string, app: string | null = id): Run['checkSuite'] => ({
  id,
  conclusion: null,
  app: app === null ? null : { slug: app },
  workflowRun: null,
})
const run = (members: Partial<Run> = {}): Run => ({
  __typename: 'CheckRun',
  name: 'build',
  status: 'COMPLETED',
  conclusion: 'SUCCESS',
  startedAt: AT,
  completedAt: AT,
  checkSuite: suite('ci'),
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
  const other = run({ conclusion: 'FAILURE', checkSuite: suite('lint') })
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
  expect(states(run({ checkSuite: suite('s1', null) }))).toEqual(['build SUCCESS'])
})

test('keeps a failed run of a deleted app beside a later one of another', () => {
  const failed = run({ conclusion: 'FAILURE', checkSuite: suite('s1', null) })
  const passed = run({ startedAt: LATER, checkSuite: suite('s2', null) })
  expect(states(failed, passed)).toEqual(['build FAILURE', 'build SUCCESS'])
})

test('keeps a failed run beside one that began before its end, such as of a matrix', () => {
  const failed = run({ conclusion: 'FAILURE', completedAt: LATEST })
  const passed = run({ startedAt: LATER, completedAt: LATER })
  expect(states(failed, passed)).toEqual(['ci/build FAILURE', 'ci/build SUCCESS'])
  expect(states(passed, failed)).toEqual(['ci/build SUCCESS', 'ci/build FAILURE'])
  const again = run({ startedAt: LATEST, completedAt: LATEST })
  expect(states(failed, passed, again)).toEqual(['ci/build SUCCESS'])
})

test.each([
  ['runs', { status: 'IN_PROGRESS', conclusion: null, completedAt: null }, 'PENDING'],
  ['waits for a person', { status: 'WAITING', conclusion: null, startedAt: null, completedAt: null }, 'GATE'],
  ['ended as a gate', { conclusion: 'ACTION_REQUIRED', completedAt: LATEST }, 'GATE'],
  ['became stale', { conclusion: 'STALE', completedAt: LATEST }, 'ERROR'],
])('keeps a run that %s beside a later one of the same time that passed', (_, members, state) => {
  const passed = run({ startedAt: LATER, completedAt: LATER })
  expect(states(run(members), passed)).toContain(`ci/build ${state}`)
  expect(states(passed, run(members))).toContain(`ci/build ${state}`)
})

test('keeps a run that waits for a person beside a queued one', () => {
  const waiting = run({ status: 'WAITING', conclusion: null, startedAt: null, completedAt: null })
  expect(states(waiting, { ...waiting, status: 'QUEUED' })).toEqual(['ci/build GATE', 'ci/build PENDING'])
})

test('keeps no passed run and no older state of a context beside a later one', () => {
  const passed = run({ completedAt: LATEST })
  const skipped = run({ conclusion: 'SKIPPED', completedAt: LATEST })
  expect(states(passed, skipped, run({ startedAt: LATER }))).toEqual(['ci/build SUCCESS'])
  expect(states(status('PENDING'), status('SUCCESS', LATER))).toEqual(['deploy SUCCESS'])
})

test.each([
  ['of another workflow of the same name', { event: 'push', workflow: { id: 'W1' } }],
  ['of another event', { event: 'pull_request', workflow: { id: 'W2' } }],
])('keeps a failed job %s beside a later one of the same name', (_, workflowRun) => {
  const failed = run({ conclusion: 'FAILURE', checkSuite: { ...suite('s1', 'actions'), workflowRun } })
  const later = { event: 'push', workflow: { id: 'W2' } }
  const passed = run({ startedAt: LATER, checkSuite: { ...suite('s2', 'actions'), workflowRun: later } })
  expect(states(failed, passed)).toEqual(['actions/build FAILURE', 'actions/build SUCCESS'])
})

test('keeps the latest run of a workflow that ran twice', () => {
  const workflowRun = { event: 'push', workflow: { id: 'W1' } }
  const failed = run({ conclusion: 'FAILURE', checkSuite: { ...suite('s1', 'actions'), workflowRun } })
  const passed = run({ startedAt: LATER, checkSuite: { ...suite('s2', 'actions'), workflowRun } })
  expect(states(failed, passed)).toEqual(['actions/build SUCCESS'])
})

test.each([
  ['FAILURE', ['ci/build FAILURE', 'ci/build SUCCESS']],
  ['TIMED_OUT', ['ci/build FAILURE', 'ci/build SUCCESS']],
  ['SUCCESS', ['ci/build SUCCESS']],
  // It is being repeated.
  [null, ['ci/build SUCCESS']],
])('shows jobs of a suite that ended as %s as %j', (conclusion, expected) => {
  const checkSuite = { ...suite('ci'), conclusion }
  const failed = run({ conclusion: 'FAILURE', checkSuite })
  const passed = run({ startedAt: LATER, completedAt: LATER, checkSuite })
  expect(states(failed, passed)).toEqual(expected)
})

const workflowSuite = (status: string, conclusion: string | null = null): SuiteAnswer => ({
  ...suite('s1', 'actions'),
  status,
  conclusion,
  workflowRun: { workflow: { name: 'CI' } },
})

test.each([
  ['COMPLETED', 'ACTION_REQUIRED', 'GATE'],
  ['WAITING', null, 'GATE'],
  ['QUEUED', null, 'PENDING'],
  ['IN_PROGRESS', null, 'PENDING'],
  ['REQUESTED', null, 'PENDING'],
  ['A_NEW_ONE', null, 'PENDING'],
])('takes a run of a workflow that is %s with %s for a check that is %s', (given, conclusion, state) => {
  const check = { name: 'actions/CI', state, endedAt: null }
  expect(unfinishedRuns([workflowSuite(given, conclusion)], [])).toEqual([check])
  expect(unfinishedRuns([workflowSuite(given, conclusion)], [run({ checkSuite: suite('s1') })])).toEqual([check])
})

test('leaves out runs that ended, suites of apps, and runs with a job that has not ended', () => {
  const ended = ['SUCCESS', 'FAILURE', 'SKIPPED', 'CANCELLED'].map((each) => workflowSuite('COMPLETED', each))
  const app = { ...workflowSuite('QUEUED'), workflowRun: null }
  expect(unfinishedRuns([...ended, app], [])).toEqual([])
  const job = run({ status: 'IN_PROGRESS', conclusion: null, completedAt: null, checkSuite: suite('s1') })
  expect(unfinishedRuns([workflowSuite('IN_PROGRESS')], [job])).toEqual([])
})
