import { describe, expect, test } from 'vitest'
import { ago, commit, HOUR, inputOf, issue, label, pullRequest, TIME } from '../snapshots.ts'
import { decide, drive, lineOf, replyTo } from './driver.ts'

const endOf = (known: Parameters<typeof decide>[0]) =>
  decide(known)
    .actions.filter(({ step }) => step > 8)
    .map(lineOf)

describe('step 9', () => {
  test('posts no digest without a change', () => {
    expect(endOf(inputOf({ pullRequests: [pullRequest({ verdicts: [] })] }))).toEqual(['10 remember'])
  })

  test('posts the counts after the run and each change', () => {
    const issues = [issue({ number: 9, labels: [] }), issue({ number: 8, labels: ['needs-triage'] })]
    const pullRequests = [
      pullRequest({ number: 1 }),
      pullRequest({ number: 2, isQueued: true }),
      pullRequest({ number: 3, labels: [label('review-agent', TIME)], verdicts: [] }),
      pullRequest({ number: 4, labels: [label('needs-rework', TIME)], branch: 'change-3' }),
      pullRequest({ number: 5, labels: [], verdicts: [], isFork: true }),
    ]
    const run = drive(inputOf({ issues, pullRequests }))
    const counts = { needs_triage: 2, merge_queue: 1, in_review: 1, needs_rework: 1, active_branches: 2 }
    const transitions = ['#9: +needs-triage', '#1: merged']
    expect(run.acts.find(({ about }) => about === 'digest')).toMatchObject({
      room: 'operations',
      number: null,
      digest: { counts, transitions },
      text: [
        '**Run** acme/shop',
        'needs-triage: 2',
        'merge queue: 1',
        'in review: 1',
        'needs rework: 1',
        'active branches: 2',
        '#9: +needs-triage',
        '#1: merged',
      ].join('\n'),
    })
    expect(run.counts).toEqual(counts)
  })

  test('names at most 100 changes', () => {
    const issues = Array.from({ length: 102 }, (_, index) => issue({ number: index + 1, labels: [] }))
    const digest = drive(inputOf({ issues })).acts.find(({ about }) => about === 'digest')
    expect(digest?.digest?.transitions).toHaveLength(100)
    expect(digest?.text).toMatch(/\nand 2 more$/)
  })

  test('does not count a label that was there, or could not be added', () => {
    const known = inputOf({ issues: [issue({ labels: [] })] })
    const unchanged = drive(known, replyTo('2 add-label #1 needs-triage', { outcome: 'unchanged' }))
    expect(unchanged.transitions).toEqual([])
    expect(unchanged.counts.needs_triage).toBe(1)
    const failed = drive(known, replyTo('2 add-label #1 needs-triage', { outcome: 'failed', reason: 'gone' }))
    expect(failed.transitions).toEqual([])
    expect(failed.actions[0]).toMatchObject({ outcome: 'failed', reason: 'gone' })
  })
})

describe('step 10', () => {
  test('remembers the state, then ends the request of the run', () => {
    const labels = [label('conductor-sync', TIME)]
    const known = inputOf({
      issues: [issue({ number: 7, labels })],
      pullRequests: [pullRequest({ number: 2, labels, verdicts: [] }), pullRequest({ number: 3, verdicts: [] })],
    })
    expect(endOf(known)).toEqual([
      '10 remember',
      '10 remove-label #2 conductor-sync',
      '10 remove-label #7 conductor-sync',
    ])
    expect(drive(known).acts.find(({ action }) => action === 'remember')?.record).toEqual({
      status: 'done',
      health: 'blocked',
      stopped: null,
      counts: { needs_triage: 0, merge_queue: 1, in_review: 0, needs_rework: 0, active_branches: 2 },
      reported: new Map([
        ['review-needed #3', TIME],
        ['queue-blocked', TIME],
      ]),
    })
  })

  test('ends the request even if the memory fails', () => {
    const known = inputOf({ issues: [issue({ labels: ['conductor-sync'] })] })
    const run = drive(known, replyTo('10 remember', { outcome: 'failed', code: 'error' }))
    expect(run.actions.map(lineOf)).toEqual(['10 remember', '10 remove-label #1 conductor-sync'])
    expect(run.health).toBe('degraded')
  })
})

describe('a memory that cannot be reached', () => {
  const stale = issue({ number: 9, activeAt: 0 })
  const gated = pullRequest({ number: 2, labels: ['merge-ready', 'human-gate'] })
  const unapproved = pullRequest({ number: 1, verdicts: [], labels: ['merge-ready', label('review-agent', ago(HOUR))] })

  test('prevents posts that are made once', () => {
    const run = drive(inputOf({ issues: [stale], pullRequests: [unapproved] }, { reported: null }))
    expect(run.actions.map(lineOf)).toEqual(['10 remember'])
    expect(run.reported).toBeNull()
    expect(run.acts[0]?.record?.reported).toBeNull()
  })

  test('prevents no other write', () => {
    const checks = [{ name: 'ci', state: 'FAILURE', endedAt: ago(HOUR) } as const]
    const pullRequests = [pullRequest({ number: 1, checks }), pullRequest({ number: 2, mergeable: 'CONFLICTING' })]
    const run = drive(inputOf({ pullRequests }, { reported: null }))
    expect(run.actions.filter(({ step }) => step === 6).map(lineOf)).toEqual([
      '6 comment #1',
      '6 remove-label #1 merge-ready',
      '6 post #2 conflicting',
      '6 add-label #2 needs-restack',
    ])
  })

  test('lets no gate end the run: it would end each one', () => {
    const run = drive(inputOf({ pullRequests: [gated] }, { reported: null }))
    expect(run.actions.map(lineOf)).toEqual(['10 remember'])
    expect(run.stopped).toBeNull()
  })

  test('degrades the run', () => {
    expect(decide(inputOf({}, { reported: null })).health).toBe('degraded')
    expect(decide(inputOf({})).health).toBe('ok')
  })
})

describe('a stopped run', () => {
  test('leaves out later steps, and remembers every report', () => {
    const reported = new Map([
      ['stale #50', ago(HOUR)],
      ['nudge #51', ago(9 * HOUR)],
    ])
    const run = drive(
      inputOf(
        {
          issues: [issue({ number: 9, activeAt: 0 })],
          pullRequests: [pullRequest({ number: 2, labels: ['merge-ready', 'human-gate', 'conductor-sync'] })],
        },
        { reported },
      ),
    )
    expect(run.actions.map(lineOf)).toEqual(['6 post #2 gate', '10 remember', '10 remove-label #2 conductor-sync'])
    expect(run.reported).toEqual(new Map([...reported, [`gate #2 @${commit(2)}`, TIME]]))
  })
})
