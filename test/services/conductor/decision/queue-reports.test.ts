import { describe, expect, test } from 'vitest'
import type { Check } from '../../../../services/conductor/snapshot/facts.ts'
import { ago, commit, DAY, HOUR, inputOf, pullRequest, TIME } from '../snapshots.ts'
import { decide, drive, dryLines } from './driver.ts'

type Given = Parameters<typeof pullRequest>[0]

const known = (given: Given[], reported = new Map<string, number>()) =>
  inputOf({ pullRequests: given.map((each, index) => pullRequest({ number: index + 1, ...each })) }, { reported })

const failure = (age: number): Check => ({ name: `failed ${age}`, state: 'FAILURE', endedAt: ago(age) })

describe('checks that fail for long', () => {
  const failing = (given: Given, reported?: Map<string, number>) =>
    dryLines(known([given], reported)).filter((line) => line.endsWith('checks-failing'))
  const reported = new Map([[`checks-failed #1 @${commit(1)}`, ago(2 * DAY)]])
  const report = ['6 post #1 checks-failing']

  test.each([
    [24 * HOUR - 1, []],
    [24 * HOUR, []],
    [24 * HOUR + 1, report],
  ])('are reported after more than 24 hours (%d ms)', (age, lines) => {
    expect(failing({ checks: [failure(HOUR), failure(age)] })).toEqual(lines)
  })

  test('are reported of a pull request that lost merge-ready for them', () => {
    const given = { labels: [], checks: [failure(25 * HOUR)] }
    expect(failing(given, reported)).toEqual(report)
    expect(failing(given)).toEqual([])
    expect(failing({ ...given, head: commit(99) }, reported)).toEqual([])
  })

  test('are not reported of a draft', () => {
    expect(failing({ isDraft: true, checks: [failure(25 * HOUR)] })).toEqual([])
  })

  test('are reported once for a head', () => {
    const run = decide(known([{ labels: [], checks: [failure(25 * HOUR)] }], reported))
    expect(run.reported).toEqual(new Map([...reported, [`checks-failing #1 @${commit(1)}`, TIME]]))
    expect(failing({ labels: [], checks: [failure(25 * HOUR)] }, new Map(run.reported))).toEqual([])
  })

  test('are forgotten when they pass', () => {
    expect(decide(known([{ labels: [], verdicts: [] }], reported)).reported).toEqual(new Map())
  })

  test('are remembered while the checks cannot be read', () => {
    expect(decide(known([{ labels: [], verdicts: [], checks: null }], reported)).reported).toEqual(reported)
  })
})

describe('a blocked queue', () => {
  const isBlocked = (...given: Given[]) => decide(known(given)).health === 'blocked'
  const held: Given = { labels: ['merge-ready', 'needs-restack'] }

  test('is one whose pull requests all wait for a person', () => {
    const run = drive(known([held, { isDraft: true }, { mergeable: 'CONFLICTING' }, { verdicts: [] }]))
    expect(run.health).toBe('blocked')
    expect(run.status).toBe('done')
    expect(run.acts.find(({ about }) => about === 'queue-blocked')).toMatchObject({
      number: null,
      room: 'engineering',
      items: [1, 2, 3, 4],
      key: 'queue-blocked',
    })
  })

  test('is reported once, and again after it moved', () => {
    const reported = new Map([['queue-blocked', ago(HOUR)]])
    expect(dryLines(known([held], reported))).toEqual([])
    expect(decide(known([held], reported))).toMatchObject({ health: 'blocked', reported })
    expect(decide(known([held, { isQueued: true }], reported)).reported).toEqual(new Map())
  })

  test.each<[string, Given]>([
    ['is queued', { isQueued: true }],
    ['has an unknown mergeability', { mergeable: 'UNKNOWN' }],
    ['has pending checks', { checks: [{ name: 'ci', state: 'PENDING', endedAt: null }] }],
    ['is behind', { mergeState: 'BEHIND' }],
    ['is merged', {}],
  ])('is not one if a pull request %s', (_, given) => {
    expect(isBlocked(held, given)).toBe(false)
  })

  test('is not one whose bottom was closed during the run', () => {
    const run = drive(known([{}, { base: 'change-1' }]), (request) => ('reread' in request ? null : undefined))
    expect(run.health).toBe('ok')
  })

  test('is not an empty one', () => {
    expect(isBlocked()).toBe(false)
    expect(isBlocked({ verdicts: ['CHANGES_REQUESTED'] })).toBe(false)
  })

  test.each<[string, boolean, Given[]]>([
    ['no parent', true, [{ base: 'feature' }]],
    ['a blocked parent in the queue', true, [held, { base: 'change-1' }, { base: 'change-2' }]],
    ['a parent that is pending', false, [{ isQueued: true }, { base: 'change-1' }]],
    ['a parent outside the queue', false, [{ labels: [], verdicts: [] }, { base: 'change-1' }]],
    ['a parent on the same stack', false, [{ base: 'change-2' }, { base: 'change-1' }]],
  ])('with pull requests on %s: %s', (_, blocked, given) => {
    expect(isBlocked(...given)).toBe(blocked)
  })
})
