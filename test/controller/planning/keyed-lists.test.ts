import { expect, test } from 'vitest'
import { agreedPaths, differences, memberAt } from '../../../controller/planning/diff.ts'
import { withMembers } from '../../../controller/planning/merge.ts'
import { kinds } from '../../../schemas/kinds.ts'
import type { Shape } from '../../../schemas/members/keyed-list.ts'

const shape: Shape = { keyed: { people: 'id', tools: '.' }, atoms: ['policy'] }
const found = (desired: unknown, applied: unknown, live: unknown, of: Shape = shape) =>
  differences(desired, applied, live, of).map(
    ({ path, owner, conflict }) => `${path} ${owner}${conflict ? ' both' : ''}`,
  )
const people = (...ids: string[]) => ({ people: ids.map((id) => ({ id, role: id.toUpperCase() })) })

test.each<[string, string[], string[]]>([
  ['one that live added', found(people('a'), people('a'), people('a', 'b')), ['people[b] live']],
  ['one that live took out', found(people('a', 'b'), people('a', 'b'), people('b')), ['people[a] live']],
  ['one that the manifest added', found(people('a', 'b'), people('a'), people('a')), ['people[b] manifest']],
  [
    'each by who moved it',
    found(people('a', 'n'), people('a'), people('a', 'h')),
    ['people[h] live', 'people[n] manifest'],
  ],
  ['another order', found(people('a', 'b'), people('a', 'b'), people('b', 'a')), []],
  ['a member of one', found(people('a'), people('a'), { people: [{ id: 'a', role: 'x' }] }), ['people[a].role live']],
  ['what both moved', found(people(), people('a'), { people: [{ id: 'a', role: 'x' }] }), ['people[a] manifest both']],
  ['a list that is none on one side', found({ tools: null }, { tools: null }, { tools: ['r'] }), ['tools[r] live']],
  ['a list with a key twice', found(people('a'), people('a'), people('a', 'a')), ['people live']],
  ['a set that names one twice', found({ tools: ['r'] }, { tools: ['r'] }, { tools: ['r', 'r'] }), []],
  ['a list of what has no key', found({ tools: ['r'] }, { tools: ['r'] }, { tools: [7] }), ['tools live']],
  ['what was never applied', found(people('a'), null, people('b')), ['people[a] manifest', 'people[b] manifest']],
])('finds %s', (_, is, wanted) => expect(is).toEqual(wanted))

const policy = (mode: string, ...tools: string[]) => ({ mode, tools })
const bound: Shape = { keyed: { tools: { by: '.', under: 'mode' } } }
const inAtom: Shape = { keyed: { 'policy.tools': '.' }, atoms: ['policy'] }

test.each<[string, string[], string[]]>([
  [
    'goes by element while that is the same',
    found(policy('allow', 'r'), policy('allow', 'r'), policy('allow', 'r', 'w'), bound),
    ['tools[w] live'],
  ],
  [
    'is one value while it differs, and the manifest’s with it',
    found(policy('deny', 'b'), policy('allow', 'b'), policy('allow', 'b', 'w'), bound),
    ['mode manifest', 'tools manifest both'],
  ],
  [
    'takes it along where the manifest moved the list',
    found(policy('allow', 'r', 'g'), policy('allow', 'r'), policy('deny', 'r'), bound),
    ['mode manifest both', 'tools manifest'],
  ],
  [
    'leaves it where the list is as desired',
    found(policy('allow', 'r'), policy('allow', 'r'), policy('deny', 'r'), bound),
    ['mode live'],
  ],
])('a list that means something by another member %s', (_, is, wanted) => expect(is).toEqual(wanted))

test('shows a list by its elements if only those differ', () => {
  const of = (mode: string, ...tools: string[]) => ({ policy: policy(mode, ...tools) })
  expect(found(of('allow', 'r'), of('allow', 'r'), of('allow', 'r', 'w'), inAtom)).toEqual(['policy.tools[w] live'])
  expect(found(of('allow', 'r'), of('allow', 'r'), of('deny', 'r', 'w'), inAtom)).toEqual(['policy live'])
  expect(agreedPaths(of('allow', 'r', 'g'), of('allow', 'r'), of('deny', 'r', 'g'), inAtom)).toEqual([])
  expect(agreedPaths(of('allow', 'r', 'g'), of('allow', 'r'), of('allow', 'g', 'r'), inAtom)).toEqual([
    'policy.tools[g]',
  ])
})

test.each<[string, unknown, unknown, string[], unknown]>([
  [
    'adds one where its key goes',
    { tools: ['a', 'd'] },
    { tools: ['a', 'b'] },
    ['tools[b]'],
    { tools: ['a', 'b', 'd'] },
  ],
  [
    'adds one behind the one it follows',
    { tools: ['z', 'a', 'h'] },
    { tools: ['z', 'b', 'a'] },
    ['tools[b]'],
    { tools: ['z', 'b', 'a', 'h'] },
  ],
  ['takes one out, and no other', { tools: ['a', 'h', 'b'] }, { tools: ['b'] }, ['tools[a]'], { tools: ['h', 'b'] }],
  ['begins a list', { tools: null }, { tools: ['a', 'b'] }, ['tools[a]'], { tools: ['a'] }],
  ['ends one', { tools: ['a'] }, { tools: null }, ['tools[a]'], { tools: [] }],
  [
    'moves a member of one',
    { people: [{ id: 'a', r: 1, s: 9 }] },
    { people: [{ id: 'a', r: 2, s: 1 }] },
    ['people[a].r'],
    { people: [{ id: 'a', r: 2, s: 9 }] },
  ],
  ['takes a list without keys whole', { tools: [7] }, { tools: ['a', 'b'] }, ['tools[a]'], { tools: ['a', 'b'] }],
])('a merge %s', (_, live, desired, paths, wanted) => expect(withMembers(live, desired, paths, shape)).toEqual(wanted))

test('writes only the differences of the manifest and keeps manual ones', () => {
  const [desired, applied, live] = [people('a', 'n'), people('a', 'gone'), people('h', 'a', 'gone')]
  const paths = differences(desired, applied, live, shape)
    .filter(({ owner }) => owner === 'manifest')
    .map(({ path }) => path)
  expect(memberAt(withMembers(live, desired, paths, shape), 'people')).toEqual(people('h', 'a', 'n').people)
})

test('every list of a kind that is a set by what it means is keyed', () => {
  expect(Object.fromEntries(kinds.map(({ kind, keyed }) => [kind, keyed]))).toEqual({
    policies: { tools: { by: '.', under: 'mode' } },
    agents: { 'tool_policy.tools': '.', additional_dirs: '.', rooms: 'name', may: '.' },
    rooms: { participants: 'identifier' },
    documents: { tags: '.' },
    repositories: { languages: '.' },
    workflows: { 'tool_policy.tools': '.', 'trigger.labels': '.' },
  })
})
