// What a step sees of earlier ones of the same run, and what a digest tells of them.
import { describe, expect, test } from 'vitest'
import { ago, commit, HOUR, inputOf, issue, label, mergedPullRequest, pullRequest } from '../snapshots.ts'
import { drive, dryLines, linesOf, replyTo } from './driver.ts'

const unapproved = (given: Parameters<typeof pullRequest>[0]) => pullRequest({ labels: [], verdicts: [], ...given })
const digestOf = (run: ReturnType<typeof drive>) =>
  run.acts.find(({ about }) => about === 'digest')?.digest?.transitions

describe('a later step', () => {
  test('gives a pull request time for the rework that this run asks for', () => {
    const pullRequests = [pullRequest({ verdicts: ['CHANGES_REQUESTED'], linkedIssue: 9 })]
    expect(dryLines(inputOf({ pullRequests, issues: [issue({ number: 9 })] }))).toEqual([
      '6 add-label #1 needs-rework',
      '6 post #1 changes-requested',
      '6 remove-label #1 merge-ready',
    ])
  })

  test('gives an agent time that this run dispatches again', () => {
    const issues = [issue({ number: 9, labels: [label('docs-agent', ago(7 * HOUR))] })]
    const pullRequests = [unapproved({ labels: [label('needs-rework', ago(HOUR))], linkedIssue: 9 })]
    expect(dryLines(inputOf({ issues, pullRequests }))).toEqual([
      '7 add-label #9 agent',
      '7 remove-label #1 needs-rework',
    ])
  })

  test('dispatches no issue again that step 3 has dispatched', () => {
    const issues = [issue({ number: 9, labels: ['triaged'] })]
    const pullRequests = [unapproved({ labels: [label('needs-rework', ago(HOUR))], linkedIssue: 9 })]
    expect(dryLines(inputOf({ issues, pullRequests }))).toEqual([
      '3 add-label #9 agent',
      '7 remove-label #1 needs-rework',
    ])
  })

  test('judges a pull request by the base that step 1 gave it', () => {
    const merged = [mergedPullRequest({ number: 8 })]
    const pullRequests = [pullRequest({ number: 1, base: 'change-8' })]
    const run = drive(inputOf({ merged, pullRequests }), replyTo('1 restack #1 main', { outcome: 'unchanged' }))
    expect(run.items).toMatchObject([{ situation: 'unknown' }])
    expect(run.items[0]!.rules.find(({ rule }) => rule === 'stack')?.holds).toBe(true)
  })

  test('does nothing to a pull request that step 6 has merged', () => {
    const old = ago(100 * HOUR)
    const labels = ['merge-ready', label('review-agent', ago(5 * 60_000)), 'conductor-sync']
    const run = drive(inputOf({ pullRequests: [pullRequest({ labels, activeAt: old })] }))
    expect(run.actions.filter(({ step }) => step > 6).map(({ action, about }) => about ?? action)).toEqual([
      'digest',
      'remember',
    ])
  })
})

describe('a digest', () => {
  const merged = [mergedPullRequest({ number: 8 })]

  test('tells of a new base alone', () => {
    const run = drive(inputOf({ merged, pullRequests: [unapproved({ base: 'change-8', isFork: true })] }))
    expect(digestOf(run)).toEqual(['#1: retargeted to main'])
  })

  test('tells of a restack whose new base failed', () => {
    const run = drive(
      inputOf({ merged, pullRequests: [unapproved({ base: 'change-8' })] }),
      replyTo('1 retarget #1 main', { outcome: 'failed', code: 'error' }),
    )
    expect(digestOf(run)).toEqual(['#1: restacked onto main'])
  })

  test('is not posted for the request of a run, an updated branch or a post alone', () => {
    const issues = [issue({ number: 9, labels: ['conductor-sync'], activeAt: 0 })]
    const run = drive(inputOf({ issues, pullRequests: [pullRequest({ mergeState: 'BEHIND' })] }))
    expect(run.actions.map(({ action, about }) => about ?? action)).toEqual([
      'update-branch',
      'stale',
      'remember',
      'remove-label',
    ])
    expect(run.acts[0]).toMatchObject({ action: 'update-branch', sha: commit(1) })
  })
})

test('a step 3 without its lock is left out, and later steps are not', () => {
  const issues = [1, 2, 3, 4].map((number) => issue({ number, labels: ['triaged'] }))
  const run = drive(
    inputOf({ issues, pullRequests: [pullRequest({ number: 9, labels: [], isQueued: true })] }),
    replyTo('3 lock', { outcome: 'failed', code: 'held' }),
  )
  expect(linesOf(run)).toEqual(['3 lock', '5 add-label #9 merge-ready'])
})
