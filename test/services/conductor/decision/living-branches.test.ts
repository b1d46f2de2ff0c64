import { describe, expect, test } from 'vitest'
import type { Intent } from '../../../../services/conductor/decision/contract.ts'
import { commit, inputOf, mergedPullRequest, pullRequest, TIME } from '../snapshots.ts'
import { drive, dryLines, linesOf } from './driver.ts'

const interrupted: Intent = { number: 1, head: commit(1), at: TIME }

describe('a branch that was merged once', () => {
  /** #1 was merged from develop into main; #2 is on develop, and #3 on #2. */
  const known = (baseHead: string | null, intents: Intent[] = []) =>
    inputOf(
      {
        merged: [mergedPullRequest({ number: 1, branch: 'develop' })],
        pullRequests: [
          pullRequest({ number: 2, base: 'develop', baseHead, labels: [], verdicts: [] }),
          pullRequest({ number: 3, base: 'change-2', labels: [], verdicts: [] }),
        ],
      },
      { intents },
    )

  test('keeps its pull requests if it has moved since', () => {
    expect(dryLines(known(commit(90)))).toEqual([])
  })

  test('keeps its pull requests and stays after an interrupted merge if it has moved since', () => {
    expect(linesOf(drive(known(commit(90), [interrupted])))).toEqual(['1 post #1 merged'])
  })

  test.each([
    ['still has the merged head', commit(1)],
    ['is gone', null],
  ])('gives its pull requests to its base if it %s', (_, baseHead) => {
    expect(dryLines(known(baseHead))).toEqual(['1 restack #2 main', '1 retarget #2 main'])
  })

  test('is the new base of pull requests if it has moved since', () => {
    const merged = [
      mergedPullRequest({ number: 1, base: 'develop', baseHead: commit(90) }),
      mergedPullRequest({ number: 9, branch: 'develop' }),
    ]
    const pullRequests = [pullRequest({ number: 2, base: 'change-1', baseHead: null, labels: [], verdicts: [] })]
    const intents = [interrupted]
    expect(dryLines(inputOf({ merged, pullRequests }))).toEqual(['1 restack #2 develop', '1 retarget #2 develop'])
    expect(linesOf(drive(inputOf({ merged, pullRequests }, { intents }))).slice(0, 2)).toEqual([
      '1 restack #2 develop',
      '1 retarget #2 develop',
    ])
  })

  test('is no new base if it is gone', () => {
    const merged = [mergedPullRequest({ number: 1, base: 'develop', baseHead: null })]
    const pullRequests = [pullRequest({ number: 2, base: 'change-1', labels: [], verdicts: [] })]
    expect(dryLines(inputOf({ merged, pullRequests }))).toEqual([])
  })

  test('gives its pull requests to its base if its head was pushed during the run', () => {
    const pullRequests = [
      pullRequest({ number: 1 }),
      pullRequest({ number: 2, base: 'change-1', labels: [], verdicts: [] }),
    ]
    const run = drive(inputOf({ pullRequests }), (request) =>
      'reread' in request ? { ...request.seen, head: commit(91) } : undefined,
    )
    expect(linesOf(run)).toEqual([
      '6 merge #1',
      '6 restack #2 main',
      '6 retarget #2 main',
      '6 delete-branch #1 change-1',
      '6 post #1 merged',
    ])
  })
})

describe.each([
  ['the main branch', 'main', null],
  ['the pipeline base branch', 'develop', 'develop'],
])('%s as the head of a pull request', (_, branch, pipelineBase) => {
  const merged = [mergedPullRequest({ number: 1, base: branch === 'main' ? 'develop' : 'main' })]
  const trunk = pullRequest({ number: 4, branch, base: 'change-1', labels: [], verdicts: [] })
  const above = pullRequest({ number: 5, base: branch, labels: [], verdicts: [] })

  test('is left to a person if its base was merged', () => {
    const known = inputOf({ pipelineBase, merged, pullRequests: [trunk, above] }, { intents: [interrupted] })
    expect(linesOf(drive(known))).toEqual(['1 post #1 merged'])
  })

  test('does not move with a stack, nor does a pull request on it', () => {
    const below = pullRequest({ number: 2, base: 'change-1', labels: [], verdicts: [] })
    const pullRequests = [below, { ...trunk, base: 'change-2' }, above]
    const { acts } = drive(inputOf({ pipelineBase, merged, pullRequests }))
    const [restack, ...others] = acts.flatMap((act) => act.restack ?? [])
    expect(others).toEqual([])
    expect(restack?.branches.map(({ number }) => number)).toEqual([2])
    expect(restack?.trunks).toEqual(pipelineBase === null ? ['main'] : ['main', pipelineBase])
  })

  test('is not updated from its base', () => {
    const base = branch === 'main' ? 'next' : 'main'
    const behind = pullRequest({ number: 4, branch, base, mergeState: 'BEHIND' })
    const run = drive(inputOf({ pipelineBase: pipelineBase ?? 'next', pullRequests: [behind] }))
    expect(run.items).toMatchObject([{ situation: 'behind' }])
    expect(linesOf(run)).toEqual([])
  })

  test('is moved like any other if it is of a fork', () => {
    const run = drive(inputOf({ pipelineBase, merged, pullRequests: [{ ...trunk, isFork: true }] }))
    expect(linesOf(run)).toEqual([`1 retarget #4 ${merged[0]!.base}`])
  })
})
