// Merges whose end fails: the next run does the rest, and announces them once.
import { describe, expect, test } from 'vitest'
import type { ActReply, Intent } from '../../../../services/conductor/decision/contract.ts'
import { ago, commit, HOUR, inputOf, label, mergedPullRequest, pullRequest, TIME } from '../snapshots.ts'
import { drive, linesOf, replyTo } from './driver.ts'

const failed = (code: ActReply['code']): ActReply => ({ outcome: 'failed', code })

/** The merge of #1, in step 6. */
const merge = (line: string, reply: ActReply, above: Parameters<typeof pullRequest>[0][] = []) =>
  drive(
    inputOf({
      pullRequests: [
        pullRequest({ number: 1 }),
        ...above.map((each, index) =>
          pullRequest({ number: index + 2, base: 'change-1', labels: [], verdicts: [], ...each }),
        ),
      ],
    }),
    replyTo(line, reply),
  )

/** A run after the merge of #1. */
function next(
  isReported: boolean,
  line = '',
  reply: ActReply = failed('error'),
  above: Parameters<typeof pullRequest>[0][] = [],
  merged = mergedPullRequest({ number: 1 }),
) {
  const intents: Intent[] = [{ number: 1, head: commit(1), at: TIME, isReported }]
  const pullRequests = above.map((each, index) =>
    pullRequest({ number: index + 2, base: 'change-1', labels: [], verdicts: [], ...each }),
  )
  return drive(inputOf({ merged: [merged], pullRequests }, { intents }), replyTo(line, reply))
}

describe('a branch that could not be deleted after a merge', () => {
  const deletion = (step: number) => `${step} delete-branch #1 change-1`

  test('keeps the merge open, which is announced', () => {
    const run = merge(deletion(6), failed('error'))
    expect(linesOf(run)).toEqual(['6 merge #1', deletion(6), '6 post #1 merged'])
    expect(run.intents).toEqual(['open #1', 'open #1 reported'])
    expect(run.health).toBe('degraded')
  })

  test('is deleted by the next run, without a second announcement', () => {
    const run = next(true)
    expect(linesOf(run)).toEqual([deletion(1)])
    expect(run.intents).toEqual(['close #1 reported'])
    expect(run.transitions).toEqual([])
  })

  test('is tried again by every run that fails to', () => {
    const run = next(true, deletion(1))
    expect(linesOf(run)).toEqual([deletion(1)])
    expect(run.intents.filter((line) => line.startsWith('close'))).toEqual([])
  })

  test('does not count as a merge of the run: a blocked queue is one', () => {
    const held = { base: 'main', labels: ['merge-ready', 'needs-restack'] }
    const run = next(true, deletion(1), failed('error'), [held])
    expect(linesOf(run)).toEqual([deletion(1), '6 post queue-blocked'])
    expect(run.health).toBe('blocked')
  })

  test.each([
    [24 * HOUR, []],
    [24 * HOUR + 1, ['close #1 reported']],
  ])('is given up after more than 24 hours (%d ms)', (age, closed) => {
    const run = next(true, deletion(1), failed('error'), [], mergedPullRequest({ number: 1, mergedAt: ago(age) }))
    expect(linesOf(run)).toEqual([deletion(1)])
    expect(run.intents.filter((line) => line.startsWith('close'))).toEqual(closed)
  })

  test('is given up once it has moved', () => {
    const run = next(true, deletion(1), failed('moved'))
    expect(run.intents).toEqual(['close #1 reported'])
  })

  test.each<[string, Parameters<typeof pullRequest>[0]]>([
    ['the base', { base: 'change-1', baseHead: commit(90) }],
    ['the head', { base: 'main', branch: 'change-1' }],
  ])('is given up once it is %s of an open pull request', (_, given) => {
    const run = next(true, '', failed('error'), [given])
    expect(linesOf(run)).toEqual([])
    expect(run.intents).toEqual(['close #1 reported'])
  })
})

describe('a dependent that could not move after a merge', () => {
  test.each([
    ['a restack', '6 restack #2 main', {}],
    ['a new base', '6 retarget #2 main', {}],
    ['the new base of a fork', '6 retarget #2 main', { isFork: true }],
  ])('for an error of %s keeps the merge open', (_, line, given) => {
    expect(merge(line, failed('error'), [given]).intents).toEqual(['open #1', 'open #1 reported'])
  })

  test('moves in the next run, which deletes the branch', () => {
    const run = next(true, '', failed('error'), [{}])
    expect(linesOf(run)).toEqual(['1 restack #2 main', '1 retarget #2 main', '1 delete-branch #1 change-1'])
    expect(run.intents).toEqual(['close #1 reported'])
  })

  test('does not keep the merge open after a failed lease', () => {
    expect(merge('6 restack #2 main', failed('moved'), [{}]).intents).toEqual(['open #1', 'close #1'])
  })

  test('keeps the merge open if one of two has an error', () => {
    expect(merge('6 restack #2 main', failed('error'), [{}, {}]).intents.at(-1)).toBe('open #1 reported')
  })

  test('and whose conflict could not be posted keeps the merge open, without an announcement', () => {
    const given = { labels: [label('bug', TIME)] }
    const input = inputOf({
      pullRequests: [pullRequest({ number: 1 }), pullRequest({ number: 2, base: 'change-1', verdicts: [], ...given })],
    })
    const run = drive(input, (request) => {
      if (!('act' in request)) return undefined
      if (request.act.action === 'restack') return failed('conflict')
      return request.act.about === 'rebase-conflict' ? failed('error') : undefined
    })
    expect(linesOf(run)).toEqual(['6 merge #1', '6 restack #2 main', '6 post #2 rebase-conflict'])
    expect(run.intents.at(-1)).toBe('open #1 reported')
  })
})

describe('an announcement that a room did not confirm', () => {
  test('keeps the merge open', () => {
    const run = merge('6 post #1 merged', failed('error'))
    expect(run.intents).toEqual(['open #1'])
  })

  test('is repeated by the next run, with the same subject', () => {
    const first = merge('6 post #1 merged', failed('error'))
    const run = next(false)
    const subjectOf = ({ acts }: typeof run) =>
      acts
        .filter(({ about }) => about === 'merged')
        .map(({ about, number, key, id, text }) => ({ about, number, key, id, text }))
    expect(subjectOf(run)).toEqual(subjectOf(first))
    expect(run.intents).toEqual(['close #1'])
  })

  test.each(['missing', 'refused'] as const)('is left out if its room is %s', (code) => {
    expect(merge('6 post #1 merged', failed(code)).intents).toEqual(['open #1', 'close #1'])
  })
})
