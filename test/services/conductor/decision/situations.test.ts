import { describe, expect, test } from 'vitest'
import type { Reported } from '../../../../services/conductor/decision/contract.ts'
import type { Check, PullRequest } from '../../../../services/conductor/snapshot/facts.ts'
import { ago, commit, DAY, HOUR, inputOf, label, MINUTE, pullRequest, snapshotOf } from '../snapshots.ts'
import { decide, drive, dryLines } from './driver.ts'

type Given = Parameters<typeof pullRequest>[0]

/** A memory that has the head of #1 since this age. */
const seen = (age: number) => new Map([[`seen #1 @${commit(1)}`, ago(age)]])

const known = (given: Given, repository: Parameters<typeof snapshotOf>[0] = {}, reported: Reported = seen(DAY)) =>
  inputOf({ pullRequests: [pullRequest(given)], ...repository }, { reported })

const situationOf = (given: Given, repository?: Parameters<typeof snapshotOf>[0], reported?: Reported) =>
  decide(known(given, repository, reported)).items[0]?.situation

const rulesOf = (given: Given) =>
  Object.fromEntries(decide(known(given)).items[0]!.rules.map(({ rule, holds }) => [rule, holds]))

const check = (state: Check['state'], endedAt: number | null = ago(HOUR)): Check => ({ name: state, state, endedAt })

describe('the situation of a pull request', () => {
  test.each<[situation: string, Given]>([
    ['changes-requested', { verdicts: ['APPROVED', 'CHANGES_REQUESTED'] }],
    ['held', { labels: ['merge-ready', 'needs-restack'] }],
    ['held', { labels: ['merge-ready', label('needs-rework', ago(MINUTE))] }],
    ['draft', { isDraft: true }],
    ['queued', { isQueued: true }],
    ['parent-open', { base: 'feature' }],
    ['conflicting', { mergeable: 'CONFLICTING' }],
    ['checks-failed', { checks: [check('SUCCESS'), check('FAILURE')] }],
    ['checks-failed', { checks: [check('ERROR')] }],
    ['checks-failed', { checks: [check('PENDING', null), check('FAILURE')] }],
    ['no-approvals', { verdicts: [] }],
    ['no-approvals', { verdicts: ['DISMISSED'] }],
    ['unknown', { mergeable: 'UNKNOWN' }],
    ['unknown', { verdicts: null }],
    ['unknown', { checks: null }],
    ['checks-pending', { checks: [check('SUCCESS'), check('PENDING', null)] }],
    ['gate', { labels: ['merge-ready', 'human-gate'] }],
    ['gate', { labels: ['Merge-Ready', 'Human-Gate'] }],
    ['held', { labels: ['merge-ready', 'Needs-Restack'] }],
    ['gate', { checks: [check('SUCCESS'), check('GATE', null)] }],
    ['gate', { mergeState: 'BLOCKED' }],
    ['behind', { mergeState: 'BEHIND' }],
    ['eligible', {}],
    ['eligible', { checks: [check('SKIPPED')] }],
    ['eligible', { verdicts: ['APPROVED', 'DISMISSED'] }],
    ['eligible', { isFork: true }],
  ])('is %s with %j', (situation, given) => {
    expect(situationOf(given)).toBe(situation)
  })

  test('is none without merge-ready', () => {
    expect(situationOf({ labels: [], verdicts: [] })).toBeNull()
  })

  test('is the first of the table if several hold', () => {
    const all: Given[] = [
      { verdicts: ['CHANGES_REQUESTED'] },
      { labels: ['merge-ready', 'human-gate', 'needs-restack'] },
      { isDraft: true },
      { isQueued: true },
      { base: 'feature' },
      { mergeable: 'CONFLICTING' },
      { checks: [check('FAILURE'), check('PENDING', null)] },
      { verdicts: [] },
      { mergeable: 'UNKNOWN' },
      { checks: [check('PENDING', null)] },
      { labels: ['merge-ready', 'human-gate'] },
      { mergeState: 'BEHIND' },
    ]
    const situations = all.map((_, index) => situationOf(Object.assign({}, ...all.slice(index).toReversed()) as Given))
    expect(situations).toEqual([
      'changes-requested',
      'held',
      'draft',
      'queued',
      'parent-open',
      'conflicting',
      'checks-failed',
      'no-approvals',
      'unknown',
      'checks-pending',
      'gate',
      'behind',
    ])
  })

  test('is gate if the repository forbids squash merges', () => {
    expect(situationOf({}, { isSquashAllowed: false })).toBe('gate')
  })

  test('counts the pipeline base branch as a bottom', () => {
    expect(situationOf({ base: 'next' }, { pipelineBase: 'next' })).toBe('eligible')
    expect(situationOf({ base: 'next' })).toBe('parent-open')
  })

  test.each([
    [5 * MINUTE - 1, 'checks-pending'],
    [5 * MINUTE, 'eligible'],
    [5 * MINUTE + 1, 'eligible'],
  ])('without checks, waits 5 minutes for the first (%d ms)', (age, situation) => {
    expect(situationOf({ checks: [], headAt: ago(age) })).toBe(situation)
    expect(situationOf({ checks: [], createdAt: ago(age), headAt: ago(DAY) })).toBe(situation)
    expect(situationOf({ checks: [], headAt: ago(DAY) }, {}, seen(age))).toBe(situation)
  })

  test.each([
    [30 * MINUTE - 1, 'checks-pending'],
    [30 * MINUTE, 'gate'],
    [30 * MINUTE + 1, 'gate'],
  ])('is a gate if blocked, from 30 minutes after the head (%d ms)', (age, situation) => {
    expect(situationOf({ mergeState: 'BLOCKED', headAt: ago(age) })).toBe(situation)
    expect(situationOf({ mergeState: 'BLOCKED', createdAt: ago(age), headAt: ago(DAY) })).toBe(situation)
    expect(situationOf({ mergeState: 'BLOCKED', headAt: ago(DAY) }, {}, seen(age))).toBe(situation)
  })
})

describe('the rules of a pull request', () => {
  const fulfilled = {
    label: true,
    reviews: true,
    checks: true,
    mergeable: true,
    clear: true,
    stack: true,
    draft: true,
    gate: true,
  }

  test.each<[Given, Partial<Record<keyof typeof fulfilled, boolean | null>>]>([
    [{}, {}],
    [
      { labels: [], isDraft: true },
      { label: false, draft: false },
    ],
    [
      { verdicts: null, checks: null, mergeable: 'UNKNOWN' },
      { reviews: null, checks: null, mergeable: null },
    ],
    [
      { checks: [check('PENDING', null)], mergeState: 'BLOCKED', headAt: ago(MINUTE) },
      { checks: null, gate: null },
    ],
    [
      { checks: [check('GATE', null)], base: 'feature' },
      { gate: false, stack: false },
    ],
    [
      { labels: ['merge-ready', 'needs-restack'], mergeable: 'CONFLICTING', verdicts: [] },
      { clear: false, mergeable: false, reviews: false },
    ],
  ])('of %j differ by %j', (given, different) => {
    expect(rulesOf(given)).toEqual({ ...fulfilled, ...different })
  })

  test('give a reason unless they hold', () => {
    const given: Given = {
      labels: [],
      verdicts: [],
      checks: null,
      mergeable: 'UNKNOWN',
      isDraft: true,
      base: 'feature',
    }
    const rules = decide(known(given)).items[0]!.rules
    expect(rules.filter(({ holds, reason }) => (holds === true) !== (reason === null))).toEqual([])
  })
})

describe('the actions on a situation', () => {
  const failed: Given = { checks: [check('FAILURE'), check('SUCCESS')] }

  test.each<[situation: string, Given, lines: string[]]>([
    [
      'changes-requested',
      { verdicts: ['CHANGES_REQUESTED'] },
      ['6 add-label #1 needs-rework', '6 post #1 changes-requested', '6 remove-label #1 merge-ready'],
    ],
    [
      'changes-requested with needs-rework',
      { verdicts: ['CHANGES_REQUESTED'], labels: ['merge-ready', label('needs-rework', ago(MINUTE))] },
      ['6 post #1 changes-requested', '6 remove-label #1 merge-ready'],
    ],
    [
      'conflicting',
      { mergeable: 'CONFLICTING' },
      ['6 post #1 conflicting', '6 add-label #1 needs-restack', '6 post queue-blocked'],
    ],
    ['checks-failed', failed, ['6 comment #1', '6 post #1 checks-failed', '6 remove-label #1 merge-ready']],
    [
      'checks-failed with a comment on the head',
      { ...failed, reportedHeads: [commit(1)] },
      ['6 post #1 checks-failed', '6 remove-label #1 merge-ready'],
    ],
    [
      'checks-failed with a comment on an older head',
      { ...failed, reportedHeads: [commit(99)] },
      ['6 comment #1', '6 post #1 checks-failed', '6 remove-label #1 merge-ready'],
    ],
    ['no-approvals', { verdicts: [] }, ['6 post #1 review-needed', '6 post queue-blocked']],
    ['held', { labels: ['merge-ready', 'needs-restack'] }, ['6 post queue-blocked']],
    ['draft', { isDraft: true }, ['6 post queue-blocked']],
    ['queued', { isQueued: true }, []],
    ['unknown', { mergeable: 'UNKNOWN' }, []],
    ['checks-pending', { checks: [check('PENDING', null)] }, []],
    ['gate', { labels: ['merge-ready', 'human-gate'] }, ['6 post #1 gate']],
    ['behind', { mergeState: 'BEHIND' }, ['6 update-branch #1']],
    ['behind of a fork', { mergeState: 'BEHIND', isFork: true }, []],
    ['eligible', {}, ['6 merge #1', '6 delete-branch #1 change-1', '6 post #1 merged']],
  ])('of %s are listed in order', (_, given, lines) => {
    expect(dryLines(known(given))).toEqual(lines)
  })

  test('include a marked comment that names the head', () => {
    const comment = drive(known(failed)).acts.find(({ action }) => action === 'comment')
    expect(comment?.text).toMatch(
      new RegExp(
        `^<!-- svc:conductor checks-failed ${commit(1)} -->\n.* is removed: 1 of 2 checks of commit ${commit(1)} failed`,
      ),
    )
  })

  test('mention a person for a conflict with the main branch', () => {
    const [post] = drive(known({ mergeable: 'CONFLICTING' })).acts
    expect(post?.text).toBe(
      '@ada **Merge** acme/shop#1: it conflicts with its base. Wanted: rebase the branch by hand and remove needs-restack',
    )
  })

  test('update the first branch of each base alone', () => {
    const behind = (number: number, base: string): PullRequest => pullRequest({ number, base, mergeState: 'BEHIND' })
    const pullRequests = [behind(4, 'main'), behind(2, 'main'), behind(3, 'next')]
    expect(dryLines(inputOf({ pipelineBase: 'next', pullRequests }))).toEqual([
      '6 update-branch #2',
      '6 update-branch #3',
    ])
  })
})

describe('a failed write of a situation', () => {
  test.each([
    ['6 add-label #1 needs-rework', ['6 add-label #1 needs-rework']],
    ['6 post #1 changes-requested', ['6 add-label #1 needs-rework', '6 post #1 changes-requested']],
  ])('holds back those after it (%s)', (line, lines) => {
    const run = drive(known({ verdicts: ['CHANGES_REQUESTED'] }), (request) =>
      'act' in request && line.includes(request.act.action) ? { outcome: 'failed', code: 'error' } : undefined,
    )
    expect(run.actions.filter(({ step }) => step === 6).map(({ action }) => action)).toEqual(
      lines.map((each) => each.split(' ')[1]),
    )
    expect(run.health).toBe('degraded')
  })

  test.each(['missing', 'refused'] as const)('holds back none if a room is %s', (code) => {
    const run = drive(known({ verdicts: ['CHANGES_REQUESTED'] }), (request) =>
      'act' in request && request.act.action === 'post' ? { outcome: 'failed', code } : undefined,
    )
    expect(run.items[0]?.labels).toEqual(['merge-ready'])
    expect(run.counts).toMatchObject({ merge_queue: 0, needs_rework: 1 })
    expect(run.health).toBe('degraded')
  })
})
