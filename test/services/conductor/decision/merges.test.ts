import { describe, expect, test } from 'vitest'
import type { ActReply, DecisionInput, Reply, Request } from '../../../../services/conductor/decision/contract.ts'
import { ago, commit, HOUR, inputOf, label, MINUTE, pullRequest, TIME } from '../snapshots.ts'
import { drive, dryLines, linesOf, replyTo } from './driver.ts'

type Given = Parameters<typeof pullRequest>[0]

const known = (...given: Given[]): DecisionInput =>
  inputOf({ pullRequests: given.map((each, index) => pullRequest({ number: index + 1, ...each })) })

/** The forge answers each read of a pull request with these changes. */
const changed =
  (...changes: (Given | null)[]) =>
  (request: Request): Reply | undefined => {
    if (!('reread' in request)) return undefined
    const change = changes.length > 1 ? changes.shift() : changes[0]
    return change == null ? null : { ...request.seen, ...pullRequest({ ...request.seen, ...change }) }
  }

const delaysOf = (requests: readonly Request[]) => requests.flatMap((each) => ('reread' in each ? each.delay : []))

describe('a merge', () => {
  test('squashes the head that was read again', () => {
    const run = drive(known({}), changed({ head: commit(50) }))
    expect(run.acts.find(({ action }) => action === 'merge')).toMatchObject({
      number: 1,
      base: 'main',
      branch: 'change-1',
      sha: commit(50),
      text: 'Change 1 (#1)',
    })
    expect(run.intents).toEqual(['open #1', 'close #1'])
    expect(run.transitions).toEqual(['#1: merged'])
    expect(run.counts).toMatchObject({ merge_queue: 0, active_branches: 0 })
  })

  test.each<[string, Given, string[]]>([
    ['the label is gone', { labels: [] }, []],
    ['checks are pending', { checks: [{ name: 'ci', state: 'PENDING', endedAt: null }] }, []],
    ['the base is another', { base: 'feature' }, ['6 post queue-blocked']],
    ['it became a draft', { isDraft: true }, ['6 post queue-blocked']],
    ['it is in a merge queue', { isQueued: true }, []],
    ['it is held', { labels: ['merge-ready', label('needs-rework', TIME)] }, ['6 post queue-blocked']],
    ['the approval is gone', { verdicts: [] }, ['6 post #1 review-needed', '6 post queue-blocked']],
    ['a gate appeared', { labels: ['merge-ready', 'human-gate'] }, ['6 post #1 gate']],
    [
      'changes are requested',
      { verdicts: ['CHANGES_REQUESTED'] },
      ['6 add-label #1 needs-rework', '6 post #1 changes-requested', '6 remove-label #1 merge-ready'],
    ],
  ])('does not happen if %s when read again', (_, change, lines) => {
    expect(linesOf(drive(known({}), changed(change)))).toEqual(lines)
  })

  test('does not happen if the pull request was closed', () => {
    const run = drive(known({}), changed(null))
    expect(linesOf(run)).toEqual([])
    expect(run.items).toMatchObject([{ number: 1, situation: 'eligible' }])
  })

  test.each<[string, Given, string[]]>([
    ['the pipeline base branch', { branch: 'next' }, ['6 merge #1', '6 post #1 merged']],
    ['the main branch', { branch: 'main', base: 'next' }, ['6 merge #1', '6 post #1 merged']],
    ['a fork', { isFork: true }, ['6 merge #1', '6 post #1 merged']],
  ])('does not delete the branch of %s', (_, given, lines) => {
    expect(dryLines(inputOf({ pipelineBase: 'next', pullRequests: [pullRequest(given)] }))).toEqual(lines)
  })

  test('keeps a branch that is the head of another pull request', () => {
    const other = { branch: 'change-1', labels: [], verdicts: [] }
    expect(dryLines(known({}, other))).not.toContain('6 delete-branch #1 change-1')
  })

  test('of a stack happens from the bottom, once in a run', () => {
    const stack = [
      { number: 3, base: 'main' },
      { number: 2, base: 'change-3' },
      { number: 1, base: 'change-2' },
    ]
    expect(dryLines(known(...stack))).toEqual([
      '6 merge #3',
      '6 restack #2 main',
      '6 retarget #2 main',
      '6 delete-branch #3 change-3',
      '6 post #3 merged',
    ])
  })

  test('leaves the restacked pull requests pending', () => {
    const run = drive(known({}, { base: 'change-1' }, { base: 'change-2' }))
    expect(run.items.map(({ situation }) => situation)).toEqual(['eligible', 'checks-pending', 'parent-open'])
  })

  test('happens by depth, then number', () => {
    const lines = dryLines(known({ base: 'change-2', isFork: true }, {}, {}))
    expect(lines.filter((line) => line.includes(' merge '))).toEqual(['6 merge #2', '6 merge #3'])
  })
})

describe('a refused merge', () => {
  const refused = (code: ActReply['code'], ...given: Given[]) =>
    drive(known(...(given.length > 0 ? given : [{}])), replyTo('6 merge #1', { outcome: 'failed', code, reason: 'no' }))

  test.each(['moved', 'not-eligible'] as const)('with %s waits for the next run', (code) => {
    const run = refused(code, {}, {})
    expect(linesOf(run)).toEqual(['6 merge #1', '6 merge #2', '6 delete-branch #2 change-2', '6 post #2 merged'])
    expect(run.intents.slice(0, 2)).toEqual(['open #1', 'close #1'])
    expect(run.health).toBe('ok')
  })

  test('for a conflict is escalated as one', () => {
    const run = refused('conflict')
    expect(linesOf(run)).toEqual([
      '6 merge #1',
      '6 post #1 conflicting',
      '6 add-label #1 needs-restack',
      '6 post queue-blocked',
    ])
    expect(run.items[0]).toMatchObject({ situation: 'conflicting' })
  })

  test('for a gate stops the run with the reason of the forge', () => {
    const run = refused('gate', {}, {})
    expect(linesOf(run)).toEqual(['6 merge #1', '6 post #1 gate'])
    expect(run).toMatchObject({ status: 'stopped', stopped: { step: 6, number: 1, code: 'gate', reason: 'no' } })
    expect(run.items[0]).toMatchObject({ situation: 'gate' })
  })

  test('for a known gate is neither reported nor a stop', () => {
    const reported = new Map([[`gate #1 @${commit(1)}`, ago(HOUR)]])
    const given = { ...known({}, {}), reported }
    const run = drive(given, replyTo('6 merge #1', { outcome: 'failed', code: 'gate' }))
    expect(linesOf(run)).toEqual(['6 merge #1', '6 merge #2', '6 delete-branch #2 change-2', '6 post #2 merged'])
    expect(run.reported).toEqual(reported)
  })

  test.each([
    ['by an error', 'error', 'degraded'],
    ['of one that is closed now, perhaps by a merge,', 'closed', 'ok'],
  ] as const)('%s keeps the intent open', (_, code, health) => {
    const run = refused(code)
    expect(run.intents).toEqual(['open #1'])
    expect(run.health).toBe(health)
  })
})

describe('an unknown mergeability', () => {
  test('is read three times in ten seconds', () => {
    const run = drive(known({ mergeable: 'UNKNOWN' }))
    expect(delaysOf(run.requests)).toEqual([2000, 3000, 5000])
    expect(linesOf(run)).toEqual([])
    expect(run.items[0]).toMatchObject({ situation: 'unknown' })
  })

  test('that becomes known is acted on', () => {
    const run = drive(known({ mergeable: 'UNKNOWN' }), changed({}, { mergeable: 'MERGEABLE' }))
    expect(delaysOf(run.requests)).toEqual([2000, 3000])
    expect(linesOf(run)[0]).toBe('6 merge #1')
  })

  test('of what blocks a merge holds it back, as a token may pass over rules of the base branch', () => {
    const blocked: Given = { mergeable: 'MERGEABLE', mergeState: 'UNKNOWN' }
    const run = drive(known(blocked))
    expect(linesOf(run)).toEqual([])
    expect(run.items[0]).toMatchObject({ situation: 'unknown' })
    expect(run.items[0]!.rules.find(({ rule }) => rule === 'gate')).toMatchObject({ holds: null })
    expect(delaysOf(run.requests)).toEqual([2000, 3000, 5000])
    expect(linesOf(drive(known({}), changed(blocked)))).toEqual([])
  })

  test('before a merge is read again, too', () => {
    const run = drive(known({}), changed({ mergeable: 'UNKNOWN' }, { mergeable: 'CONFLICTING' }))
    expect(delaysOf(run.requests)).toEqual([0, 2000])
    expect(linesOf(run)[0]).toBe('6 post #1 conflicting')
  })

  test('is not read again for lists that are too long', () => {
    expect(delaysOf(drive(known({ verdicts: null })).requests)).toEqual([])
  })
})

describe('a gate', () => {
  const gated: Given = { labels: ['merge-ready', 'human-gate'] }
  const key = `gate #1 @${commit(1)}`

  test('stops the run before the next pull request', () => {
    const run = drive(known(gated, {}))
    expect(linesOf(run)).toEqual(['6 post #1 gate'])
    expect(run.acts[0]).toMatchObject({ room: 'engineering', key, sha: commit(1) })
    expect(run).toMatchObject({ status: 'stopped', health: 'blocked', stopped: { step: 6, number: 1, code: 'gate' } })
    expect(run.reported).toEqual(new Map([[key, TIME]]))
  })

  test('that was reported stops nothing', () => {
    const run = drive({ ...known(gated, {}), reported: new Map([[key, ago(HOUR)]]) })
    expect(linesOf(run)[0]).toBe('6 merge #2')
    expect(run.reported).toEqual(new Map([[key, ago(HOUR)]]))
  })

  test('of a newer head is reported again', () => {
    const run = drive({ ...known(gated), reported: new Map([[`gate #1 @${commit(99)}`, ago(HOUR)]]) })
    expect(linesOf(run)).toEqual(['6 post #1 gate'])
  })

  test.each(['missing', 'refused', 'error'] as const)(
    'whose post fails with %s stops one run, and is reported by the next that can',
    (code) => {
      const failed = replyTo('6 post #1 gate', { outcome: 'failed', code })
      const stopped = drive(known(gated, {}), failed)
      expect(stopped.status).toBe('stopped')
      expect(stopped.reported).toEqual(new Map([[`gate-stop #1 @${commit(1)}`, TIME]]))
      const second = drive({ ...known(gated, {}), reported: stopped.reported }, failed)
      expect(linesOf(second).slice(0, 2)).toEqual(['6 post #1 gate', '6 merge #2'])
      expect(second.status).toBe('done')
      expect(second.reported).toEqual(stopped.reported)
      const third = drive({ ...known(gated, {}), reported: second.reported })
      expect(third.status).toBe('done')
      expect(third.reported!.has(key)).toBe(true)
    },
  )

  test('stops nothing while the memory cannot be reached: it would stop every run', () => {
    const run = drive({ ...known(gated, {}), reported: null })
    expect(linesOf(run)).toEqual(['6 merge #2', '6 delete-branch #2 change-2', '6 post #2 merged'])
    expect(run).toMatchObject({ status: 'done', health: 'degraded' })
  })

  test('hidden by pending checks is still known', () => {
    const pending: Given = { ...gated, checks: [{ name: 'ci', state: 'PENDING', endedAt: null }] }
    const run = drive({ ...known(pending), reported: new Map([[key, ago(HOUR)]]) })
    expect(run.reported).toEqual(new Map([[key, ago(HOUR)]]))
  })

  test('that was lifted is forgotten', () => {
    const run = drive({ ...known({ mergeState: 'BEHIND' }), reported: new Map([[key, ago(HOUR)]]) })
    expect(run.reported).toEqual(new Map())
  })
})

test('an update of a branch that fails still holds back the others', () => {
  const behind: Given = { mergeState: 'BEHIND', headAt: ago(MINUTE) }
  const run = drive(known(behind, behind), replyTo('6 update-branch #1', { outcome: 'failed', code: 'error' }))
  expect(linesOf(run)).toEqual(['6 update-branch #1'])
})
