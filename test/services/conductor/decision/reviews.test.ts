import { describe, expect, test } from 'vitest'
import { ago, HOUR, inputOf, issue, label, MINUTE, pullRequest, TIME } from '../snapshots.ts'
import { decide, drive, dryLines } from './driver.ts'

const inReview = (age: number, given: Parameters<typeof pullRequest>[0] = {}) =>
  pullRequest({ verdicts: [], reviews: [], labels: [label('review-agent', ago(age))], ...given })

const nudgesOf = (age: number, given: Parameters<typeof pullRequest>[0] = {}, reported = new Map<string, number>()) =>
  dryLines(inputOf({ pullRequests: [inReview(age, given)] }, { reported }))

describe('step 4', () => {
  test.each([
    [30 * MINUTE - 1, []],
    [30 * MINUTE, ['4 post #1 nudge']],
    [30 * MINUTE + 1, ['4 post #1 nudge']],
  ])('nudges reviewers from 30 minutes after the label (%d ms)', (age, lines) => {
    expect(nudgesOf(age)).toEqual(lines)
  })

  test('nudges no reviewer of a draft', () => {
    expect(nudgesOf(HOUR, { isDraft: true })).toEqual([])
  })

  test.each([
    ['a comment of a reviewer after the label', 'grace', 'COMMENTED', ago(10 * MINUTE), []],
    ['a review at the time of the label', 'grace', 'APPROVED', ago(HOUR), []],
    ['a review before the label', 'grace', 'COMMENTED', ago(HOUR + 1), ['4 post #1 nudge']],
    ['a review of the author', 'ada', 'COMMENTED', ago(10 * MINUTE), ['4 post #1 nudge']],
  ])('judges %s', (_, author, state, submittedAt, lines) => {
    expect(nudgesOf(HOUR, { reviews: [{ author, state, submittedAt }] })).toEqual(lines)
  })

  test('nudges nobody while the reviews or the time of the label are not known', () => {
    expect(nudgesOf(HOUR, { reviews: null })).toEqual([])
    expect(nudgesOf(HOUR, { labels: [label('review-agent', null)] })).toEqual([])
  })

  test.each([
    [60 * MINUTE - 1, []],
    [60 * MINUTE, ['4 post #1 nudge']],
  ])('repeats a nudge from 60 minutes after the last (%d ms)', (age, lines) => {
    expect(nudgesOf(3 * HOUR, {}, new Map([['nudge #1', ago(age)]]))).toEqual(lines)
  })

  test('remembers a nudge within the hour even if a review came', () => {
    const pullRequests = [pullRequest({ labels: [], verdicts: [] })]
    const after = (age: number) =>
      decide(inputOf({ pullRequests }, { reported: new Map([['nudge #1', ago(age)]]) })).reported
    expect(after(59 * MINUTE)).toEqual(new Map([['nudge #1', ago(59 * MINUTE)]]))
    expect(after(60 * MINUTE)).toEqual(new Map())
  })

  test('states the operation, the item, the reason and the action', () => {
    const run = drive(inputOf({ pullRequests: [inReview(HOUR)] }))
    expect(run.acts[0]).toMatchObject({
      room: 'engineering',
      mention: null,
      key: 'nudge #1',
      text: '**Review** acme/shop#1: no review since it was labelled review-agent 30 or more minutes ago. Wanted: a review',
    })
    expect(run.reported).toEqual(new Map([['nudge #1', TIME]]))
  })

  test.each(['security', 'security-agent', 'security-advisory'])('mentions a person on an item labelled %s', (name) => {
    const labels = [label('review-agent', ago(HOUR)), label(name, ago(HOUR))]
    const [nudge] = drive(inputOf({ pullRequests: [inReview(HOUR, { labels })] })).acts
    expect(nudge?.mention).toBe('@ada')
    expect(nudge?.text).toMatch(/^@ada \*\*Review\*\*/)
  })

  test('mentions no person if none is configured', () => {
    const labels = [label('review-agent', ago(HOUR)), label('security', ago(HOUR))]
    const [nudge] = drive(inputOf({ pullRequests: [inReview(HOUR, { labels })] }, { mention: null })).acts
    expect(nudge?.mention).toBeNull()
    expect(nudge?.text).toMatch(/^\*\*Review\*\*/)
  })
})

describe('step 5', () => {
  const approved = (given: Parameters<typeof pullRequest>[0]) =>
    dryLines(inputOf({ pullRequests: [pullRequest({ labels: [], isQueued: true, ...given })] }))

  test('labels an approved pull request, whatever its checks and mergeability', () => {
    const checks = [{ name: 'ci', state: 'PENDING', endedAt: null } as const]
    expect(approved({})).toEqual(['5 add-label #1 merge-ready'])
    expect(approved({ checks })).toEqual(['5 add-label #1 merge-ready'])
    expect(approved({ mergeable: 'UNKNOWN' })).toEqual(['5 add-label #1 merge-ready'])
  })

  test.each([
    ['a draft', { isDraft: true }],
    ['no approval', { verdicts: ['DISMISSED'] }],
    ['a change request beside an approval', { verdicts: ['APPROVED', 'CHANGES_REQUESTED'] }],
    ['too many reviews to read', { verdicts: null }],
    ['a failed check', { checks: [{ name: 'ci', state: 'FAILURE', endedAt: ago(HOUR) }] }],
    ['too many checks to read', { checks: null }],
    ['needs-rework', { labels: [label('needs-rework', ago(MINUTE))] }],
    ['needs-restack', { labels: [label('needs-restack', ago(MINUTE))] }],
  ] as const)('labels none with %s', (_, given) => {
    expect(approved(given).filter((line) => line.startsWith('5'))).toEqual([])
  })

  test('lets step 6 merge it in the same run', () => {
    const lines = dryLines(inputOf({ pullRequests: [pullRequest({ labels: [] })], issues: [issue({ number: 2 })] }))
    expect(lines).toEqual([
      '5 add-label #1 merge-ready',
      '6 merge #1',
      '6 delete-branch #1 change-1',
      '6 post #1 merged',
    ])
  })
})
