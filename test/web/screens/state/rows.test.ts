import { describe, expect, test } from 'vitest'
import type { Resource } from '../../../../schemas/resource.ts'
import {
  countsText,
  driftMark,
  matching,
  nodeText,
  resourceTree,
  sourceHeads,
  sourceState,
  stateOf,
} from '../../../../web/screens/state/rows.ts'

const resource = (id: string, states: Resource['states'] = ['synced'], more: Partial<Resource> = {}): Resource => {
  const [kind, name] = id.split('/') as [string, string]
  return {
    id,
    kind,
    name,
    states,
    source: 'default',
    file: `${id}.yml`,
    labels: {},
    waiting: null,
    ...more,
  } as Resource
}
const team = [
  resource('agents/builder'),
  resource('agents/greeter', ['drifted', 'odd']),
  resource('agents/api-3', ['waiting', 'changed', 'odd'], { source: 'other', labels: { team: 'api' } }),
  resource('rooms/lobby'),
]

describe('the tree of resources', () => {
  test('shows odd resources first, and the worst state of a folder', () => {
    const [agents, rooms] = resourceTree(team, 'folder')
    expect(agents).toMatchObject({ label: 'agents/', size: 3, state: 'drifted' })
    expect(agents!.children!.map(({ label }) => label)).toEqual(['api-3', 'greeter', 'builder'])
    expect([rooms!.state, rooms!.children![0]!.isOdd]).toEqual(['ready', false])
  })

  test('groups by source, with full names', () => {
    const folders = resourceTree(team, 'source')
    expect(folders.map(({ label, size }) => [label, size])).toEqual([
      ['default', 3],
      ['other', 1],
    ])
    expect(folders[1]!.children![0]!.label).toBe('agents/api-3')
  })

  test('shows the most urgent of several states', () => {
    expect(stateOf(resource('a/b', ['waiting', 'failing', 'odd']))).toBe('failed')
    expect(stateOf(resource('a/b', ['synced']))).toBe('ready')
  })
})

describe('a search', () => {
  const ids = (query: string) => matching(team, query).map(({ id }) => id)

  test('requires all terms', () => {
    expect(ids('is:odd kind:agents')).toEqual(['agents/greeter', 'agents/api-3'])
    expect(ids('is:odd source:other')).toEqual(['agents/api-3'])
    expect(ids('')).toHaveLength(4)
  })

  test('finds words in names, files and labels', () => {
    expect(ids('LOBBY')).toEqual(['rooms/lobby'])
    expect(ids('label:team=api')).toEqual(['agents/api-3'])
    expect(ids('label:team=web')).toEqual([])
    expect(ids('label:team')).toEqual(['agents/api-3'])
  })
})

test('counts states that occur', () => {
  expect(countsText(team)).toBe('4 owned: 2 in sync, 1 drifted, 1 changed, 1 waiting')
  expect(countsText([team[0]!])).toBe('1 owned: 1 in sync')
})

test('names each source with its ages and counts', () => {
  const times = (read: string, applied: string | null) => ({
    desired: { at: read, revision: `rev-${read}` },
    last_applied: { at: applied, revision: null },
    live: { at: null },
  })
  const owned = [
    resource('agents/a', ['synced'], { times: times('10:00', '09:00') }),
    resource('agents/b', ['synced'], { times: times('10:05', null) }),
    resource('agents/c', ['drifted'], { source: 'other', times: times('10:01', null) }),
  ]
  expect(sourceHeads(owned)).toEqual([
    { name: 'default', revision: 'rev-10:05', readAt: '10:05', appliedAt: '09:00', counts: '2 owned: 2 in sync' },
    {
      name: 'other',
      revision: 'rev-10:01',
      readAt: '10:01',
      appliedAt: null,
      counts: '1 owned: 0 in sync, 1 drifted',
    },
  ])
})

test('says in words what a resource waits for', () => {
  const [agents] = resourceTree(team, 'folder')
  expect(agents!.children!.map(nodeText)).toEqual(['pending', 'drifted', ''])
  const waiting = { reason: 'WaitingForIdle' } as Resource['waiting']
  const [busy] = resourceTree([resource('agents/a', ['waiting'], { waiting })], 'folder')[0]!.children!
  expect(nodeText(busy!)).toBe('waits until the agent is idle')
  expect(nodeText(agents!)).toBe('3')
})

test('notices that the live value of a drifted field has changed again', () => {
  const record = (live: string) => [{ id: 'd1', kind: 'agents', name: 'greeter', live, resolution: null }] as never
  const mark = (live: string) => driftMark(record(live), { kind: 'agents', name: 'greeter' })
  expect(mark('a')).not.toBe(mark('b'))
  expect(driftMark(record('a'), { kind: 'agents', name: 'other' })).toBe('')
})

test('groups by the folder of the file, and names other kinds in full', () => {
  const odd = resource('rooms/lobby', ['synced'], { file: 'agents/lobby.yml' })
  const top = resource('rooms/top', ['synced'], { file: 'top.yml' })
  const tree = resourceTree([resource('agents/a'), odd, top], 'folder')
  expect(tree.map(({ label, children }) => [label, children!.map((node) => node.label)])).toEqual([
    ['./', ['rooms/top']],
    ['agents/', ['a', 'rooms/lobby']],
  ])
})

test('tells a held source from a failed one', () => {
  const source = { error: 'x', held_back: null, hold: null, suspended: false }
  expect([
    sourceState(undefined),
    sourceState({ ...source, error: null }),
    sourceState(source),
    sourceState({ ...source, held_back: {} as never }),
    sourceState({ ...source, suspended: true }),
  ]).toEqual(['ready', 'ready', 'failed', 'held', 'suspended'])
})
