import { describe, expect, test } from 'vitest'
import { ago, DAY, HOUR, inputOf, issue, label, mergedPullRequest, pullRequest, TIME } from '../snapshots.ts'
import { decide, drive, dryLines, linesOf, replyTo } from './driver.ts'

const quietIssue = (number: number, age = 4 * DAY) => issue({ number, activeAt: ago(age) })

describe('items without activity', () => {
  test.each([
    [3 * DAY - 1, []],
    [3 * DAY, []],
    [3 * DAY + 1, ['8 post stale']],
  ])('are reported after more than 3 days (%d ms)', (age, lines) => {
    expect(dryLines(inputOf({ issues: [quietIssue(1, age)] }))).toEqual(lines)
    const draft = pullRequest({ labels: [], verdicts: [], isDraft: true, activeAt: ago(age) })
    expect(dryLines(inputOf({ pullRequests: [draft] }))).toEqual(lines)
  })

  test('are reported in one post, the new ones alone', () => {
    const issues = [quietIssue(3), quietIssue(1), quietIssue(2), issue({ number: 4 })]
    const reported = new Map([['stale #2', ago(DAY)]])
    const run = drive(inputOf({ issues }, { reported }))
    expect(run.acts[0]).toMatchObject({ room: 'operations', number: null, items: [1, 3], mention: null })
    expect(run.reported).toEqual(new Map([...reported, ['stale #1', TIME], ['stale #3', TIME]]))
  })

  test('are reported in a message of their own if others are stale', () => {
    const idOf = (...numbers: number[]) =>
      drive(inputOf({ issues: numbers.map((each) => quietIssue(each)) })).acts[0]?.id
    expect(idOf(2, 1)).toBe(idOf(1, 2))
    expect(idOf(1, 2)).not.toBe(idOf(1))
    expect(idOf(1, 2)).not.toBe(idOf(12))
  })

  test('are forgotten after activity', () => {
    const run = decide(inputOf({ issues: [issue({ number: 2 })] }, { reported: new Map([['stale #2', ago(DAY)]]) }))
    expect(run.reported).toEqual(new Map())
  })

  test.each([
    [5, null],
    [6, '@ada'],
  ])('mention a person if over 5 are stale in all (%d)', (count, mention) => {
    const issues = Array.from({ length: count }, (_, index) => quietIssue(index + 1))
    const run = drive(inputOf({ issues }, { reported: new Map([['stale #1', ago(DAY)]]) }))
    expect(run.acts[0]?.mention).toBe(mention)
  })

  test('are reported again if the post failed', () => {
    const run = drive(
      inputOf({ issues: [quietIssue(1)] }),
      replyTo('8 post stale', { outcome: 'failed', code: 'missing' }),
    )
    expect(run.reported).toEqual(new Map())
    expect(run.health).toBe('degraded')
  })

  test('are reported in parts if they are more than a message can hold', () => {
    const issues = Array.from({ length: 1001 }, (_, index) => quietIssue(index + 1))
    const run = drive(inputOf({ issues }))
    expect(run.acts[0]?.items).toHaveLength(1000)
    const next = drive(inputOf({ issues }, { reported: run.reported }))
    expect(next.acts[0]?.items).toEqual([1001])
  })
})

describe('a dispatched issue', () => {
  const dispatched = (age: number, name = 'agent') => issue({ number: 9, labels: [label(name, ago(age))] })
  const report = ['8 post #9 no-pull-request']

  test.each([
    [6 * HOUR - 1, []],
    [6 * HOUR, report],
    [6 * HOUR + 1, report],
  ])('without a pull request is reported from 6 hours (%d ms)', (age, lines) => {
    expect(dryLines(inputOf({ issues: [dispatched(age)] }))).toEqual(lines)
  })

  test.each([
    ['docs-agent', report],
    ['test-agent', report],
    ['refactor-agent', report],
    ['security-agent', report],
    ['plan-agent', []],
    ['enrich-agent', []],
    ['research-agent', []],
  ])('to %s is judged: %j', (name, lines) => {
    expect(dryLines(inputOf({ issues: [dispatched(7 * HOUR, name)] }))).toEqual(lines)
  })

  test('counts from its newest dispatch', () => {
    const labels = [label('agent', ago(7 * HOUR)), label('docs-agent', ago(HOUR))]
    expect(dryLines(inputOf({ issues: [issue({ labels })] }))).toEqual([])
  })

  test('is answered by an open pull request that refers to it', () => {
    const pullRequests = [pullRequest({ labels: [], verdicts: [], references: [8, 9], linkedIssue: 8 })]
    expect(dryLines(inputOf({ issues: [dispatched(7 * HOUR)], pullRequests }))).toEqual([])
  })

  test('is not reported while the references of an open or later pull request are not known', () => {
    const issues = [dispatched(7 * HOUR)]
    const pullRequests = [pullRequest({ labels: [], verdicts: [], references: null })]
    expect(dryLines(inputOf({ issues, pullRequests }))).toEqual([])
    const merged = (age: number) => [mergedPullRequest({ references: null, mergedAt: ago(age) })]
    expect(dryLines(inputOf({ issues, merged: merged(HOUR) }))).toEqual([])
    expect(dryLines(inputOf({ issues, merged: merged(8 * HOUR) }))).toEqual(report)
  })

  test('is not reported while the time of its dispatch is not known', () => {
    expect(dryLines(inputOf({ issues: [issue({ number: 9, labels: [label('agent', null)] })] }))).toEqual([])
  })

  test.each([
    ['since', 7 * HOUR, []],
    ['before', 7 * HOUR + 1, report],
  ])('with a merge %s its dispatch is judged', (_, age, lines) => {
    const merged = [mergedPullRequest({ references: [9], mergedAt: ago(age) })]
    expect(dryLines(inputOf({ issues: [dispatched(7 * HOUR)], merged }))).toEqual(lines)
  })

  test('is reported again after another dispatch', () => {
    const first = decide(inputOf({ issues: [dispatched(8 * HOUR)] }))
    expect(first.reported).toEqual(new Map([[`no-pull-request #9 @${ago(8 * HOUR)}`, TIME]]))
    expect(dryLines(inputOf({ issues: [dispatched(8 * HOUR)] }, { reported: first.reported }))).toEqual([])
    expect(linesOf(decide(inputOf({ issues: [dispatched(7 * HOUR)] }, { reported: first.reported })))).toEqual(report)
  })

  test('mentions a person if it concerns security', () => {
    const [post] = drive(inputOf({ issues: [dispatched(7 * HOUR, 'security-agent')] })).acts
    expect(post).toMatchObject({ room: 'engineering', mention: '@ada' })
  })
})
