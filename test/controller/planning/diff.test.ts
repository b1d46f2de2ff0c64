import { expect, test } from 'vitest'
import { differences } from '../../../controller/planning/diff.ts'
import { withMembers } from '../../../controller/planning/merge.ts'

test('compares lists as one value and objects field by field', () => {
  const found = differences({ tools: ['a'], env: { A: '1', B: '2' } }, null, { tools: ['b'], env: { A: '1', B: '3' } })
  expect(found.map((difference) => difference.path)).toEqual(['env.B', 'tools'])
})

test('treats a field that is missing on one side as null', () => {
  expect(differences({ a: 1 }, {}, {})).toMatchObject([
    { path: 'a', desired: 1, applied: null, live: null, owner: 'manifest' },
  ])
})

const members: Record<string, { live: object; desired: object; paths: string[]; want: object }> = {
  'copies only the given fields': {
    live: { a: 1, b: 9 },
    desired: { a: 2, b: 1 },
    paths: ['a'],
    want: { a: 2, b: 9 },
  },
  'copies a nested field': {
    live: { env: { A: 'x', B: 'y' } },
    desired: { env: { A: 'z', B: 'q' } },
    paths: ['env.A'],
    want: { env: { A: 'z', B: 'y' } },
  },
  'removes a field that is no longer desired': {
    live: { env: { A: 'x', B: 'y' } },
    desired: { env: { B: 'y' } },
    paths: ['env.A'],
    want: { env: { B: 'y' } },
  },
  'replaces the whole value if its shape differs': {
    live: { trigger: null },
    desired: { trigger: { type: 'manual' } },
    paths: ['trigger.type'],
    want: { trigger: { type: 'manual' } },
  },
}
for (const [title, { live, desired, paths, want }] of Object.entries(members)) {
  test(title, () => expect(withMembers(live, desired, paths)).toEqual(want))
}
