import { expect, test } from 'vitest'
import { differences } from '../../../controller/planning/diff.ts'
import { withMembers } from '../../../controller/planning/merge.ts'

test('a list is one value, an object is compared member by member', () => {
  const found = differences({ tools: ['a'], env: { A: '1', B: '2' } }, null, { tools: ['b'], env: { A: '1', B: '3' } })
  expect(found.map((difference) => difference.path)).toEqual(['env.B', 'tools'])
})

test('a member that one side lacks is a difference from null', () => {
  expect(differences({ a: 1 }, {}, {})).toMatchObject([
    { path: 'a', desired: 1, applied: null, live: null, owner: 'manifest' },
  ])
})

const members: Record<string, { live: object; desired: object; paths: string[]; want: object }> = {
  'takes over the members that are named, and no other': {
    live: { a: 1, b: 9 },
    desired: { a: 2, b: 1 },
    paths: ['a'],
    want: { a: 2, b: 9 },
  },
  'reaches into an object': {
    live: { env: { A: 'x', B: 'y' } },
    desired: { env: { A: 'z', B: 'q' } },
    paths: ['env.A'],
    want: { env: { A: 'z', B: 'y' } },
  },
  'drops what is no longer desired': {
    live: { env: { A: 'x', B: 'y' } },
    desired: { env: { B: 'y' } },
    paths: ['env.A'],
    want: { env: { B: 'y' } },
  },
  'replaces a value of another shape as a whole': {
    live: { trigger: null },
    desired: { trigger: { type: 'manual' } },
    paths: ['trigger.type'],
    want: { trigger: { type: 'manual' } },
  },
}
for (const [title, { live, desired, paths, want }] of Object.entries(members)) {
  test(title, () => expect(withMembers(live, desired, paths)).toEqual(want))
}
