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
  ['an element added live', found(people('a'), people('a'), people('a', 'b')), ['people[b] live']],
  ['an element removed live', found(people('a', 'b'), people('a', 'b'), people('b')), ['people[a] live']],
  ['an element added in the manifest', found(people('a', 'b'), people('a'), people('a')), ['people[b] manifest']],
  [
    'the owner of each added element',
    found(people('a', 'n'), people('a'), people('a', 'h')),
    ['people[h] live', 'people[n] manifest'],
  ],
  ['no difference in a different order', found(people('a', 'b'), people('a', 'b'), people('b', 'a')), []],
  [
    'a changed field of an element',
    found(people('a'), people('a'), { people: [{ id: 'a', role: 'x' }] }),
    ['people[a].role live'],
  ],
  [
    'a conflict if both sides changed an element',
    found(people(), people('a'), { people: [{ id: 'a', role: 'x' }] }),
    ['people[a] manifest both'],
  ],
  ['an element added to a null list', found({ tools: null }, { tools: null }, { tools: ['r'] }), ['tools[r] live']],
  ['a whole list with a duplicate key', found(people('a'), people('a'), people('a', 'a')), ['people live']],
  ['no difference in a duplicate set element', found({ tools: ['r'] }, { tools: ['r'] }, { tools: ['r', 'r'] }), []],
  [
    'a whole list whose elements have no key',
    found({ tools: ['r'] }, { tools: ['r'] }, { tools: [7] }),
    ['tools live'],
  ],
  [
    'only manifest differences before the first apply',
    found(people('a'), null, people('b')),
    ['people[a] manifest', 'people[b] manifest'],
  ],
])('finds %s', (_, is, wanted) => expect(is).toEqual(wanted))

const asking = (...ask: string[]) => ({
  tool_policy: { mode: 'allow_list', tools: [], ...(ask.length > 0 ? { ask } : {}) },
})

test.each(['agents', 'workflows'])('names the answers beside the list of %s by entry', (kind) => {
  const of = kinds.find((each) => each.kind === kind)!
  expect(found(asking('Bash(git push *)'), asking(), asking(), of)).toEqual([
    'tool_policy.ask[Bash(git push *)] manifest',
  ])
})

const policy = (mode: string, ...tools: string[]) => ({ mode, tools })
const bound: Shape = { keyed: { tools: { by: '.', under: 'mode' } } }
const inAtom: Shape = { keyed: { 'policy.tools': '.' }, atoms: ['policy'] }

test.each<[string, string[], string[]]>([
  [
    'compares a list by element while its mode is equal',
    found(policy('allow', 'r'), policy('allow', 'r'), policy('allow', 'r', 'w'), bound),
    ['tools[w] live'],
  ],
  [
    'compares a list as one value while its mode differs',
    found(policy('deny', 'b'), policy('allow', 'b'), policy('allow', 'b', 'w'), bound),
    ['mode manifest', 'tools manifest both'],
  ],
  [
    'assigns the mode to the manifest if the list changed',
    found(policy('allow', 'r', 'g'), policy('allow', 'r'), policy('deny', 'r'), bound),
    ['mode manifest both', 'tools manifest'],
  ],
  [
    'assigns the mode to live if the list is as desired',
    found(policy('allow', 'r'), policy('allow', 'r'), policy('deny', 'r'), bound),
    ['mode live'],
  ],
])('%s', (_, is, wanted) => expect(is).toEqual(wanted))

test('reports list elements if nothing else differs', () => {
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
    'inserts a merged element in key order',
    { tools: ['a', 'd'] },
    { tools: ['a', 'b'] },
    ['tools[b]'],
    { tools: ['a', 'b', 'd'] },
  ],
  [
    'inserts a merged element after its predecessor',
    { tools: ['z', 'a', 'h'] },
    { tools: ['z', 'b', 'a'] },
    ['tools[b]'],
    { tools: ['z', 'b', 'a', 'h'] },
  ],
  [
    'removes only the merged element',
    { tools: ['a', 'h', 'b'] },
    { tools: ['b'] },
    ['tools[a]'],
    { tools: ['h', 'b'] },
  ],
  ['creates a list for a merged element', { tools: null }, { tools: ['a', 'b'] }, ['tools[a]'], { tools: ['a'] }],
  ['removes the last element of a list', { tools: ['a'] }, { tools: null }, ['tools[a]'], { tools: [] }],
  [
    'merges one field of an element',
    { people: [{ id: 'a', r: 1, s: 9 }] },
    { people: [{ id: 'a', r: 2, s: 1 }] },
    ['people[a].r'],
    { people: [{ id: 'a', r: 2, s: 9 }] },
  ],
  [
    'replaces a list without keys as a whole',
    { tools: [7] },
    { tools: ['a', 'b'] },
    ['tools[a]'],
    { tools: ['a', 'b'] },
  ],
])('%s', (_, live, desired, paths, wanted) => expect(withMembers(live, desired, paths, shape)).toEqual(wanted))

test('writes only the differences of the manifest and keeps manual ones', () => {
  const [desired, applied, live] = [people('a', 'n'), people('a', 'gone'), people('h', 'a', 'gone')]
  const paths = differences(desired, applied, live, shape)
    .filter(({ owner }) => owner === 'manifest')
    .map(({ path }) => path)
  expect(memberAt(withMembers(live, desired, paths, shape), 'people')).toEqual(people('h', 'a', 'n').people)
})

test('declares keys for every list with set semantics', () => {
  const answers = { 'tool_policy.tools': '.', 'tool_policy.ask': '.', 'tool_policy.deny': '.' }
  const lists = ['write', 'read', 'hide', 'sockets', 'network.hosts']
  const sandbox = Object.fromEntries(lists.map((list) => [`sandbox.${list}`, '.']))
  expect(Object.fromEntries(kinds.map(({ kind, keyed }) => [kind, keyed]))).toEqual({
    policies: {
      ...Object.fromEntries(['tools', 'ask', 'deny'].map((list) => [list, { by: '.', under: 'mode' }])),
      ...sandbox,
    },
    agents: { ...answers, ...sandbox, additional_dirs: '.', rooms: 'name', may: '.' },
    rooms: { participants: 'identifier' },
    documents: { tags: '.' },
    repositories: { languages: '.' },
    workflows: { ...answers, 'trigger.labels': '.' },
  })
})
