import { expect, test } from 'vitest'
import { fieldChanges, listChange } from '../../../../web/parts/text/field-changes.ts'

test('splits the change of an object into its fields that differ', () => {
  const before = { mode: 'allow_list', tools: ['Read'], otherwise: 'deny' }
  const after = { mode: 'deny_all', otherwise: 'deny' }
  expect(fieldChanges({ path: 'tool_policy', before, after })).toEqual([
    { path: 'tool_policy.mode', before: 'allow_list', after: 'deny_all' },
    { path: 'tool_policy.tools', before: ['Read'], after: undefined },
  ])
})

test('shows the fields of an object that appears', () => {
  expect(fieldChanges({ path: '', before: null, after: { name: 'a' } })).toEqual([
    { path: 'name', before: undefined, after: 'a' },
  ])
  expect(fieldChanges({ path: 'env', before: null, after: {} })).toEqual([{ path: 'env', before: null, after: {} }])
})

test('keeps the change of a scalar, and of a scalar to an object', () => {
  expect(fieldChanges({ path: 'model', before: null, after: 'x' })).toHaveLength(1)
  expect(fieldChanges({ path: 'a', before: 'x', after: { b: 1 } })).toEqual([
    { path: 'a', before: 'x', after: { b: 1 } },
  ])
})

test('names the entries that a list lost and gained', () => {
  expect(listChange(['Read', 'Glob'], ['Glob', 'Bash'])).toEqual({ removed: ['Read'], added: ['Bash'] })
  expect(listChange(['Read'], undefined)).toEqual({ removed: ['Read'], added: [] })
  expect([listChange(['a', 'b'], ['b', 'a']), listChange('a', ['b']), listChange([1], [2])]).toEqual([null, null, null])
})
