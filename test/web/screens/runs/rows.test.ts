import { expect, test } from 'vitest'
import type { Run, RunStep } from '../../../../schemas/run.ts'
import {
  matchingRuns,
  resultText,
  newestFirst,
  runDays,
  runState,
  stepsText,
  tookMs,
  tookText,
} from '../../../../web/screens/runs/rows.ts'

const steps = (...statuses: RunStep['status'][]) => statuses.map((status) => ({ status })) as RunStep[]

test('groups runs by day, newest first', () => {
  const now = new Date('2026-11-27T14:30:00').getTime()
  const run = (id: string, hours: number) =>
    ({ id, started_at: new Date(now - hours * 3_600_000).toISOString() }) as Run
  const days = runDays(newestFirst([run('old', 20), run('new', 1), run('newer', 0)]), now)
  expect(days.map(({ title, runs }) => [title, runs.map(({ id }) => id)])).toEqual([
    ['Today', ['newer', 'new']],
    ['Yesterday', ['old']],
  ])
})

test('counts the steps that are not done', () => {
  expect(stepsText({ status: 'waiting', steps: steps('done', 'done', 'deferred', 'failed') })).toBe(
    '2 of 4 steps done, 1 waiting, 1 failed',
  )
  expect(stepsText({ status: 'succeeded', steps: steps('done') })).toBe('1 step')
  expect(stepsText({ status: 'running', steps: [] })).toBe('planning')
  expect(stepsText({ status: 'succeeded', steps: [] })).toBe('no change')
})

test('prints durations', () => {
  const at = (ms: number) => new Date(ms).toISOString()
  expect(tookMs({ started_at: at(0), ended_at: at(31) })).toBe(31)
  expect(tookMs({ started_at: at(0), ended_at: null })).toBeNull()
  expect([null, 31, 6100, 125_000].map(tookText)).toEqual(['', '31 ms', '6.1 s', '2 min'])
})

test('says how a step ended', () => {
  expect(resultText({ action: 'update', status: 'done' })).toBe('updated')
  expect(resultText({ action: 'restart', status: 'deferred' })).toBe('restart: waits for idle')
  expect(resultText({ action: 'delete', status: 'failed' })).toBe('delete: failed')
})

test('filters runs by words of their source, author and resources', () => {
  const run = {
    source: 'default',
    actor: 'mia',
    revision: null,
    status: 'failed',
    steps: [{ kind: 'rooms', name: 'lobby' }],
  }
  const runs = [run, { ...run, actor: 'jon', steps: [] }] as never
  expect(matchingRuns(runs, 'FAILED lobby')).toHaveLength(1)
  expect(matchingRuns(runs, '')).toHaveLength(2)
  expect(matchingRuns(runs, 'nobody')).toEqual([])
})

test('marks a run that held something back', () => {
  expect(runState({ status: 'succeeded', error: '5 deletions exceed the budget' })).toBe('held')
  expect([runState({ status: 'succeeded', error: null }), runState({ status: 'failed', error: 'x' })]).toEqual([
    'done',
    'failed',
  ])
})
