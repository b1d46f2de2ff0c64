import { describe, expect, test } from 'vitest'
import { ago, DAY, HOUR, inputOf, issue, label, MINUTE, pullRequest, TIME } from '../snapshots.ts'
import { decide, drive, dryLines, linesOf, replyTo } from './driver.ts'

type Given = Parameters<typeof pullRequest>[0]

const inRework = (age: number, given: Given = {}) =>
  pullRequest({ verdicts: [], labels: [label('needs-rework', ago(age))], linkedIssue: 100, ...given })

const known = (given: ReturnType<typeof pullRequest>[], reported = new Map<string, number>()) =>
  inputOf({ issues: [issue({ number: 100 })], pullRequests: given }, { reported })

describe('step 7', () => {
  test.each([
    [15 * MINUTE - 1, []],
    [15 * MINUTE, []],
    [15 * MINUTE + 1, ['7 add-label #100 agent', '7 remove-label #1 needs-rework']],
  ])('dispatches the issue after more than 15 minutes (%d ms)', (age, lines) => {
    expect(dryLines(known([inRework(age)]))).toEqual(lines)
  })

  test('dispatches no draft', () => {
    expect(dryLines(known([inRework(HOUR, { isDraft: true })]))).toEqual([])
  })

  test('adds no label that the issue has', () => {
    const issues = [issue({ number: 100, labels: [label('agent', ago(HOUR))] })]
    expect(dryLines(inputOf({ issues, pullRequests: [inRework(HOUR)] }))).toEqual(['7 remove-label #1 needs-rework'])
  })

  test('adds the label once for two pull requests of an issue', () => {
    expect(dryLines(known([inRework(HOUR), inRework(HOUR, { number: 2 })]))).toEqual([
      '7 add-label #100 agent',
      '7 remove-label #1 needs-rework',
      '7 remove-label #2 needs-rework',
    ])
  })

  test('keeps the label if the issue could not be dispatched', () => {
    const run = drive(known([inRework(HOUR)]), replyTo('7 add-label #100 agent', { outcome: 'failed', code: 'error' }))
    expect(linesOf(run)).toEqual(['7 add-label #100 agent'])
    expect(run.counts.needs_rework).toBe(1)
  })

  test('reports a pull request without an issue once', () => {
    const orphan = inRework(HOUR, { linkedIssue: null })
    const run = decide(known([orphan]))
    expect(linesOf(run)).toEqual(['7 post #1 no-linked-issue'])
    expect(run.actions[0]).toMatchObject({ room: 'operations' })
    expect(run.reported).toEqual(new Map([['no-linked-issue #1', TIME]]))
    expect(dryLines(known([orphan], new Map(run.reported)))).toEqual([])
  })

  test('leaves a pull request alone while its references or the time of its label are not known', () => {
    expect(dryLines(known([inRework(HOUR, { linkedIssue: null, references: null })]))).toEqual([])
    expect(dryLines(known([inRework(HOUR, { labels: [label('needs-rework', null)] })]))).toEqual([])
  })

  test.each([
    [3, ['7 add-label', '7 remove-label']],
    [4, ['7 lock', '7 add-label', '7 remove-label', '7 unlock']],
  ])('changes %d issues with: %j', (count, kinds) => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1)
    const issues = numbers.map((number) => issue({ number: 100 + number }))
    const pullRequests = numbers.map((number) => inRework(HOUR, { number, linkedIssue: 100 + number }))
    const lines = dryLines(inputOf({ issues, pullRequests })).map((line) => line.split(' #')[0])
    expect([...new Set(lines)]).toEqual(kinds)
  })

  test('is left out without its lock, and forgets nothing', () => {
    const numbers = [1, 2, 3, 4]
    const issues = numbers.map((number) => issue({ number: 100 + number }))
    const pullRequests = numbers.map((number) => inRework(4 * DAY, { number, linkedIssue: 100 + number }))
    const reported = new Map([
      ['rework-stale #1', ago(HOUR)],
      ['no-linked-issue #2', ago(HOUR)],
    ])
    const run = drive(
      inputOf({ issues, pullRequests }, { reported }),
      replyTo('7 lock', { outcome: 'failed', code: 'held' }),
    )
    expect(linesOf(run)).toEqual(['7 lock'])
    expect(run.reported).toEqual(reported)
  })
})

describe('rework without activity', () => {
  const orphan = (labelAge: number, activityAge: number, given: Given = {}) =>
    dryLines(known([inRework(labelAge, { linkedIssue: null, activeAt: ago(activityAge), ...given })])).filter((line) =>
      line.endsWith('rework-stale'),
    )
  const report = ['7 post #1 rework-stale']

  test.each([
    [3 * DAY, []],
    [3 * DAY + 1, report],
  ])('is reported after more than 3 days (%d ms)', (age, lines) => {
    expect(orphan(age, age)).toEqual(lines)
    expect(orphan(age, 30 * DAY)).toEqual(lines)
    expect(orphan(30 * DAY, age)).toEqual(lines)
  })

  test('is not reported of a draft, or after the label came off', () => {
    expect(orphan(4 * DAY, 4 * DAY, { isDraft: true })).toEqual([])
    expect(orphan(4 * DAY, 4 * DAY, { linkedIssue: 100 })).toEqual([])
  })
})
