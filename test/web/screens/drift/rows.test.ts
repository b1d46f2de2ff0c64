import { describe, expect, test } from 'vitest'
import type { Drift } from '../../../../schemas/resource.ts'
import {
  axisOf,
  barLook,
  matchingDrift,
  sectionsOf,
  inOrder,
  summaryText,
  tracksOf,
} from '../../../../web/screens/drift/rows.ts'

const HOUR = 3_600_000
const now = new Date('2026-11-27T14:30:00').getTime()
const ago = (hours: number) => new Date(now - hours * HOUR).toISOString()
let count = 0
const drift = (name: string, first: number, last: number, resolution: Drift['resolution'] = null): Drift =>
  ({ id: `d${(count += 1)}`, kind: 'agents', name, first_seen: ago(first), last_seen: ago(last), resolution }) as Drift

describe('the timeline of drift', () => {
  test('has a bar from first seen to the end, within 24 hours', () => {
    const [track] = tracksOf([drift('a', 30, 12, 'reverted'), drift('a', 6, 5)], now)
    expect(track!.bars.map(({ from, to, look }) => [from, to, look])).toEqual([
      [0, 0.5, 'reverted'],
      [0.75, 1, 'open'],
    ])
  })

  test('omits what ended earlier', () => {
    expect(tracksOf([drift('a', 50, 25, 'healed')], now)).toEqual([])
  })

  test('shows the most recent resource first, and names a contest', () => {
    const tracks = tracksOf(
      [drift('old', 9, 8, 'accepted'), ...[5, 4, 3, 2, 1].map((hour) => drift('fight', hour, hour, 'healed'))],
      now,
    )
    expect(tracks.map(({ id, isContest }) => [id, isContest])).toEqual([
      ['agents/fight', true],
      ['agents/old', false],
    ])
  })

  test('has an axis of six times', () => {
    expect(axisOf(now).map(({ at, share }) => [(now - at) / HOUR, share])).toEqual([
      [24, 0],
      [20, 1 / 6],
      [16, 2 / 6],
      [12, 3 / 6],
      [8, 4 / 6],
      [4, 5 / 6],
    ])
  })
})

test('distinguishes four ends of drift', () => {
  const looks = ([null, 'healed', 'accepted', 'pruned'] as const).map((resolution) => barLook({ resolution }))
  expect(looks).toEqual(['open', 'reverted', 'accepted', 'resolved'])
})

test('lists open drift before closed drift by day', () => {
  const records = [
    drift('closed', 5, 4, 'healed'),
    drift('open-old', 9, 0),
    drift('open-new', 1, 0),
    drift('past', 40, 30, 'accepted'),
  ]
  expect(
    sectionsOf(inOrder(records), now).map(({ title, records: some }) => [title, some.map(({ name }) => name)]),
  ).toEqual([
    ['Open', ['open-new', 'open-old']],
    ['Closed today', ['closed']],
    ['Yesterday', ['past']],
  ])
  expect(summaryText(records, now)).toBe('2 open, 1 closed in 24 h')
})

test('filters changes by words of their resource, field and author', () => {
  const records = [
    { ...drift('greeter', 1, 0), path: 'tool_policy', actor: 'mia', endpoint: null },
    { ...drift('builder', 1, 0, 'reverted'), path: 'model', actor: null, endpoint: null },
  ]
  const names = (query: string) => matchingDrift(records, query).map(({ name }) => name)
  expect([names('MIA policy'), names('reverted unknown'), names('')]).toEqual([
    ['greeter'],
    ['builder'],
    ['greeter', 'builder'],
  ])
})
