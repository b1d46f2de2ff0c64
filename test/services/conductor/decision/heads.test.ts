// The age of a head, which no author of a commit may choose.
import { describe, expect, test } from 'vitest'
import type { Reported } from '../../../../services/conductor/decision/contract.ts'
import { ago, commit, DAY, HOUR, inputOf, MINUTE, pullRequest, TIME } from '../snapshots.ts'
import { decide, drive, linesOf } from './driver.ts'

type Given = Parameters<typeof pullRequest>[0]

const seen = (age: number, head = commit(1)) => new Map([[`seen #1 @${head}`, ago(age)]])
/** The head has an old date, and no check. */
const bare: Given = { checks: [], headAt: ago(DAY) }
const blocked: Given = { mergeState: 'BLOCKED', headAt: ago(DAY) }

const run = (given: Given, reported: Reported = new Map()) =>
  drive(inputOf({ pullRequests: [pullRequest(given)] }, { reported }))

describe.each([
  ['a head without checks', bare],
  ['a blocked head', blocked],
])('%s', (_, given) => {
  test('is pending when it is found first, whatever its date, and remembered', () => {
    const first = run(given)
    expect(linesOf(first)).toEqual([])
    expect(first.items).toMatchObject([{ situation: 'checks-pending' }])
    expect(first.reported).toEqual(seen(0))
  })

  test('keeps the time of the first run', () => {
    expect(run(given, seen(4 * MINUTE)).reported).toEqual(seen(4 * MINUTE))
  })

  test('is pending if it replaces another head', () => {
    const second = run({ ...given, head: commit(50) }, seen(DAY))
    expect(second.items).toMatchObject([{ situation: 'checks-pending' }])
    expect(second.reported).toEqual(seen(0, commit(50)))
  })

  test('is pending if the memory cannot be reached', () => {
    const without = run(given, null)
    expect(linesOf(without)).toEqual([])
    expect(without.items).toMatchObject([{ situation: 'checks-pending' }])
  })

  test('is pending if it is found first by the read before a merge', () => {
    const input = inputOf({ pullRequests: [pullRequest()] })
    const again = drive(input, (request) =>
      'reread' in request ? pullRequest({ ...given, head: commit(50) }) : undefined,
    )
    expect(linesOf(again)).toEqual([])
    expect(again.items).toMatchObject([{ situation: 'checks-pending' }])
    expect(again.reported).toEqual(seen(0, commit(50)))
  })
})

describe('the time of a head', () => {
  test('is kept while it has checks, and is not blocked', () => {
    expect(run({ isQueued: true }, seen(HOUR)).reported).toEqual(seen(HOUR))
  })

  test('is not recorded of a head whose age does not matter', () => {
    expect(run({ isQueued: true }).reported).toEqual(new Map())
  })

  test.each<[string, Given]>([
    ['has lost merge-ready', { ...bare, labels: [], verdicts: [] }],
    ['loses merge-ready', { ...bare, mergeState: 'BLOCKED', verdicts: ['CHANGES_REQUESTED'] }],
    ['is merged', bare],
  ])('is dropped when its pull request %s', (_, given) => {
    const { reported } = run(given, seen(DAY))
    expect([...reported!.keys()].filter((key) => key.startsWith('seen'))).toEqual([])
  })

  test('is kept by a run that stops', () => {
    const gated = pullRequest({ number: 1, labels: ['merge-ready', 'human-gate'] })
    const reported = new Map([[`seen #2 @${commit(2)}`, ago(HOUR)]])
    const pullRequests = [gated, pullRequest({ number: 2, ...bare })]
    const stopped = decide(inputOf({ pullRequests }, { reported }))
    expect(stopped.reported).toEqual(new Map([...reported, [`gate #1 @${commit(1)}`, TIME]]))
  })

  test('does not count without merge-ready: no merge depends on it', () => {
    const rules = run({ ...bare, labels: [], verdicts: [] }).items[0]!.rules
    expect(rules.find(({ rule }) => rule === 'checks')?.holds).toBe(true)
  })

  test('is that of the label that this run adds', () => {
    const labelled = run({ ...bare, labels: [] })
    expect(linesOf(labelled)).toEqual(['5 add-label #1 merge-ready'])
    expect(labelled.reported).toEqual(seen(0))
  })
})
