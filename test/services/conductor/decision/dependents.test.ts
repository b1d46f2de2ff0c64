import { describe, expect, test } from 'vitest'
import type { ActReply, Intent } from '../../../../services/conductor/decision/contract.ts'
import { ago, commit, HOUR, inputOf, mergedPullRequest, pullRequest, TIME, type snapshotOf } from '../snapshots.ts'
import { decide, drive, dryLines, linesOf, replyTo } from './driver.ts'

type Given = Parameters<typeof pullRequest>[0]

/** #1 was merged into main; the others are open and in review. */
const known = (given: Given[], repository: Parameters<typeof snapshotOf>[0] = {}, intents: Intent[] = []) =>
  inputOf(
    {
      merged: [mergedPullRequest({ number: 1 })],
      pullRequests: given.map((each, index) =>
        pullRequest({ number: index + 2, base: 'change-1', labels: [], verdicts: [], ...each }),
      ),
      ...repository,
    },
    { intents },
  )

const restackOf = (given: Given[]) => drive(known(given)).acts.find(({ action }) => action === 'restack')?.restack

describe('a pull request on a merged one', () => {
  test('moves onto the base of the merged one', () => {
    const run = drive(known([{}]))
    expect(linesOf(run)).toEqual(['1 restack #2 main', '1 retarget #2 main'])
    expect(run.acts[0]?.restack).toEqual({
      onto: 'main',
      merged: { number: 1, head: commit(1) },
      branches: [{ number: 2, branch: 'change-2', head: commit(2), parent: null }],
      trunks: ['main'],
    })
    expect(run.intents).toEqual([])
    expect(run.transitions).toEqual(['#2: restacked onto main', '#2: retargeted to main'])
  })

  test('moves together with the pull requests above it, bottom first', () => {
    const branches = restackOf([{ base: 'change-4' }, { base: 'change-4' }, {}, { base: 'change-2' }])?.branches
    expect(branches?.map(({ number, parent }) => [number, parent])).toEqual([
      [4, null],
      [2, 4],
      [3, 4],
      [5, 2],
    ])
  })

  test('leaves behind forks and branches that need a restack by hand', () => {
    const above: Given[] = [
      { base: 'change-2', isFork: true },
      { base: 'change-2', labels: ['needs-restack'] },
      { base: 'change-4' },
    ]
    expect(restackOf([{}, ...above])?.branches.map(({ number }) => number)).toEqual([2])
  })

  test('moves in a separate restack per stack', () => {
    expect(dryLines(known([{}, {}]))).toEqual([
      '1 restack #2 main',
      '1 retarget #2 main',
      '1 restack #3 main',
      '1 retarget #3 main',
    ])
  })

  test.each<[string, Given]>([
    ['a fork', { isFork: true }],
    ['labelled needs-restack', { labels: ['needs-restack'] }],
  ])('is only retargeted if it is %s', (_, given) => {
    expect(dryLines(known([given, { base: 'change-2' }]))).toEqual(['1 retarget #2 main'])
  })

  test('moves to the lowest base if several below it were merged', () => {
    const merged = [mergedPullRequest({ number: 1 }), mergedPullRequest({ number: 9, base: 'change-1' })]
    const run = drive(known([{ base: 'change-9' }], { merged }))
    expect(linesOf(run)).toEqual(['1 restack #2 main', '1 retarget #2 main'])
    expect(run.acts[0]?.restack?.merged).toEqual({ number: 9, head: commit(9) })
  })

  test.each([
    ['first', [1, 8]],
    ['last', [8, 1]],
  ])('moves from the latest merge of its base, which the forge lists %s', (_, numbers) => {
    const each = {
      1: mergedPullRequest({ number: 1 }),
      8: mergedPullRequest({ number: 8, branch: 'change-1', base: 'release', mergedAt: ago(2 * HOUR) }),
    }
    const merged = numbers.map((number) => each[number as 1 | 8])
    const run = drive(known([{ baseHead: null }], { merged }))
    expect(linesOf(run)).toEqual(['1 restack #2 main', '1 retarget #2 main'])
    expect(run.acts[0]?.restack?.merged).toEqual({ number: 1, head: commit(1) })
  })

  test.each<[string, Given[], Parameters<typeof snapshotOf>[0]]>([
    [
      'an open pull request has the branch',
      [{ base: 'change-3' }, { base: 'main' }],
      { merged: [mergedPullRequest({ number: 3 })] },
    ],
    ['the merged one is of a fork', [{}], { merged: [mergedPullRequest({ isFork: true })] }],
    [
      'its base is the main branch',
      [{ base: 'main' }],
      { merged: [mergedPullRequest({ branch: 'main', base: 'next' })] },
    ],
    [
      'its base is the pipeline base branch',
      [{ base: 'next' }],
      { pipelineBase: 'next', merged: [mergedPullRequest({ branch: 'next' })] },
    ],
    ['its new base would be its branch', [{}], { merged: [mergedPullRequest({ base: 'change-2' })] }],
    [
      'the merged ones are in a circle',
      [{}],
      { merged: [mergedPullRequest({ base: 'change-8' }), mergedPullRequest({ number: 8, base: 'change-1' })] },
    ],
  ])('stays where %s', (_, given, repository) => {
    expect(dryLines(known(given, repository))).toEqual([])
  })

  test('is judged as pending on its new head', () => {
    const given: Given = { labels: ['merge-ready'], verdicts: ['APPROVED'], mergeable: 'CONFLICTING' }
    expect(decide(known([given])).items).toMatchObject([{ number: 2, situation: 'checks-pending' }])
  })

  test('is judged as unknown if it was only retargeted', () => {
    const given: Given = { labels: ['merge-ready'], verdicts: ['APPROVED'], isFork: true, mergeable: 'CONFLICTING' }
    const run = drive(known([given]))
    expect(run.items).toMatchObject([{ number: 2, situation: 'unknown' }])
    expect(run.requests.filter((request) => 'reread' in request)).toEqual([])
  })

  test('is retargeted if a run that crashed has restacked it, and judged as unknown', () => {
    const given: Given = { labels: ['merge-ready'], verdicts: ['APPROVED'] }
    const run = drive(known([given]), replyTo('1 restack #2 main', { outcome: 'unchanged' }))
    expect(linesOf(run)).toEqual(['1 restack #2 main', '1 retarget #2 main'])
    expect(run.items).toMatchObject([{ number: 2, situation: 'unknown' }])
    expect(run.transitions).toEqual(['#2: retargeted to main'])
  })

  test('is named by its new head afterwards', () => {
    const failed = { name: 'ci', state: 'FAILURE', endedAt: TIME } as const
    const heads = new Map([[2, commit(77)]])
    const given: Given = { labels: ['merge-ready', 'human-gate'], verdicts: ['APPROVED'], checks: [failed] }
    const run = drive(known([given]), replyTo('1 restack #2 main', { outcome: 'done', heads }))
    expect(linesOf(run)).toEqual(['1 restack #2 main', '1 retarget #2 main'])
    expect(run.items).toMatchObject([{ situation: 'checks-pending' }])
  })
})

describe('a restack that fails', () => {
  const failed = (code: ActReply['code'], number?: number): ActReply => ({
    outcome: 'failed',
    code,
    ...(number && { number }),
  })

  test.each([
    ['moved', 'ok'],
    ['error', 'degraded'],
  ] as const)('with %s waits for the next run', (code, health) => {
    const run = drive(known([{}, {}]), replyTo('1 restack #2 main', failed(code)))
    expect(linesOf(run)).toEqual(['1 restack #2 main', '1 restack #3 main', '1 retarget #3 main'])
    expect(run).toMatchObject({ health, status: 'done' })
  })

  test('with a conflict is escalated, and stops the run', () => {
    const given: Given[] = [{ labels: ['merge-ready'], verdicts: ['CHANGES_REQUESTED'] }, {}]
    const run = drive(known(given), replyTo('1 restack #2 main', failed('conflict')))
    expect(linesOf(run)).toEqual([
      '1 restack #2 main',
      '1 post #2 rebase-conflict',
      '1 add-label #2 needs-restack',
      '1 retarget #2 main',
    ])
    expect(run).toMatchObject({
      status: 'stopped',
      health: 'blocked',
      stopped: { step: 1, number: 2, code: 'rebase-conflict' },
    })
    expect(run.actions.map(({ step }) => step).slice(-2)).toEqual([9, 10])
    expect(run.acts[1]).toMatchObject({ room: 'engineering', mention: '@ada' })
    expect(run.items.map(({ number }) => number)).toEqual([2, 3])
  })

  test('with a conflict on another base mentions no person', () => {
    const merged = [mergedPullRequest({ base: 'feature' })]
    const run = drive(known([{}], { merged }), replyTo('1 restack #2 feature', failed('conflict')))
    expect(run.acts[1]).toMatchObject({ about: 'rebase-conflict', mention: null })
  })

  test('with a conflict above moves the branches below it', () => {
    let attempts = 0
    const run = drive(known([{}, { base: 'change-2' }, { base: 'change-3' }]), (request) => {
      if (!('act' in request) || request.act.action !== 'restack') return undefined
      attempts += 1
      return attempts === 1 ? failed('conflict', 3) : undefined
    })
    expect(linesOf(run)).toEqual([
      '1 restack #2 main',
      '1 post #3 rebase-conflict',
      '1 add-label #3 needs-restack',
      '1 restack #2 main',
      '1 retarget #2 main',
    ])
    expect(run.acts[3]?.restack?.branches.map(({ number }) => number)).toEqual([2])
    expect(run.acts[1]?.mention).toBeNull()
    expect(run.stopped).toMatchObject({ number: 3 })
  })

  test.each([
    ['post', ['1 restack #2 main', '1 post #3 rebase-conflict']],
    ['add-label', ['1 restack #2 main', '1 post #3 rebase-conflict', '1 add-label #3 needs-restack']],
  ] as const)(
    'with a conflict above moves nothing if its %s fails: the next run would not find it',
    (action, lines) => {
      const run = drive(known([{}, { base: 'change-2' }]), (request) => {
        if (!('act' in request)) return undefined
        if (request.act.action === 'restack') return failed('conflict', 3)
        return request.act.action === action ? failed('error') : undefined
      })
      expect(linesOf(run)).toEqual(lines)
      expect(run.stopped).toMatchObject({ number: 3 })
    },
  )

  test('is found again by the next run if its report fails', () => {
    const run = drive(known([{}]), (request) => {
      if (!('act' in request)) return undefined
      if (request.act.action === 'restack') return failed('conflict')
      return request.act.action === 'post' ? failed('error') : undefined
    })
    expect(linesOf(run)).toEqual(['1 restack #2 main', '1 post #2 rebase-conflict'])
    expect(run.status).toBe('stopped')
  })
})

describe('an open intent', () => {
  const merge = (number: number, head = commit(number)): Intent => ({ number, head, at: 0 })

  test('of a merge that happened is finished first', () => {
    const run = drive(known([{ base: 'change-3', labels: [] }, {}], { issues: [] }, [merge(1)]))
    expect(linesOf(run)).toEqual([
      '1 restack #3 main',
      '1 retarget #3 main',
      '1 delete-branch #1 change-1',
      '1 post #1 merged',
    ])
    expect(run.intents.at(-1)).toBe('close #1')
    expect(run.transitions[0]).toBe('#1: merged')
  })

  test('tries to move each dependent once', () => {
    const run = drive(known([{}], {}, [merge(1)]), replyTo('1 restack #2 main', { outcome: 'failed', code: 'moved' }))
    expect(linesOf(run)).toEqual(['1 restack #2 main', '1 post #1 merged'])
  })

  test.each([
    ['did not happen', merge(2)],
    ['happened with another head', merge(1, commit(50))],
  ])('of a merge that %s is dropped', (_, intent) => {
    const run = drive(known([{ base: 'main' }], {}, [intent]))
    expect(linesOf(run)).toEqual([])
    expect(run.intents).toEqual([`close #${intent.number}`])
  })

  test.each([
    [24 * HOUR, []],
    [24 * HOUR + 1, ['close #2']],
  ])('of a pull request that is still open is kept for 24 hours: the forge may merge late (%d ms)', (age, closed) => {
    const run = drive(known([{ base: 'main' }], {}, [{ ...merge(2), at: ago(age) }]))
    expect(run.intents).toEqual(closed)
  })

  test('of a later merge stays open after a conflict', () => {
    const merged = [mergedPullRequest({ number: 1 }), mergedPullRequest({ number: 9 })]
    const run = drive(
      known([{}], { merged }, [merge(9), merge(1)]),
      replyTo('1 restack #2 main', { outcome: 'failed', code: 'conflict' }),
    )
    expect(linesOf(run).slice(-2)).toEqual(['1 retarget #2 main', '1 delete-branch #1 change-1'])
    expect(run.intents).toEqual(['open #1 reported', 'close #1'])
  })

  test('of a merge that was reported is finished without an announcement', () => {
    const moved = pullRequest({ number: 2, labels: ['merge-ready', 'needs-restack'] })
    const merged = [mergedPullRequest({ number: 1 })]
    const intents = [{ ...merge(1), isReported: true }]
    const run = drive(inputOf({ pullRequests: [moved], merged }, { intents }))
    expect(linesOf(run).filter((line) => line.includes('#1'))).toEqual(['1 delete-branch #1 change-1'])
    expect(run.intents).toEqual(['close #1 reported'])
  })
})
