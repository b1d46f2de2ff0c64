import { expect, test } from 'vitest'
import { sameSpec } from '../../../controller/planning/masking.ts'
import { Secret } from '../../../schemas/secret.ts'

const secret = (value: string) => ({ env: { KEY: new Secret(value) } })

test.each<[string, object, object, boolean]>([
  [
    'treats fields in a different order as equal',
    { a: 1, b: { c: [1, null], d: 'x' } },
    { b: { d: 'x', c: [1, null] }, a: 1 },
    true,
  ],
  ['treats an undefined field as absent', { a: 1, b: undefined }, { a: 1 }, true],
  ['distinguishes values', { a: { b: 1 } }, { a: { b: 2 } }, false],
  ['distinguishes types', { a: 1 }, { a: '1' }, false],
  ['distinguishes null from an absent field', { a: null }, {}, false],
  ['distinguishes field names', { a: 1 }, { b: 1 }, false],
  ['distinguishes a list from a mapping of its elements', { a: ['x'] }, { a: { 0: 'x' } }, false],
  ['distinguishes lists by length', { a: [1] }, { a: [1, 1] }, false],
  ['distinguishes lists by order', { a: [1, 2] }, { a: [2, 1] }, false],
  ['treats secrets with the same text as equal', secret('one'), secret('one'), true],
  ['distinguishes secrets', secret('one'), secret('two'), false],
  ['distinguishes a secret from its text', secret('one'), { env: { KEY: 'one' } }, false],
  ['distinguishes names that every object inherits', { a: { toString: 1 } }, { a: { valueOf: 1 } }, false],
])('%s', (_what, a, b, same) => {
  expect([sameSpec(a, b), sameSpec(b, a)]).toEqual([same, same])
})
