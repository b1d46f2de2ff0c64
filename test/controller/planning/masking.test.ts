import { expect, test } from 'vitest'
import { sameSpec } from '../../../controller/planning/masking.ts'
import { Secret } from '../../../schemas/secret.ts'

const secret = (value: string) => ({ env: { KEY: new Secret(value) } })

test.each<[string, object, object, boolean]>([
  ['members in another order', { a: 1, b: { c: [1, null], d: 'x' } }, { b: { d: 'x', c: [1, null] }, a: 1 }, true],
  ['a member that is undefined, and none', { a: 1, b: undefined }, { a: 1 }, true],
  ['another value', { a: { b: 1 } }, { a: { b: 2 } }, false],
  ['another type', { a: 1 }, { a: '1' }, false],
  ['null, and none', { a: null }, {}, false],
  ['a member of another name', { a: 1 }, { b: 1 }, false],
  ['a list, and a mapping with its members', { a: ['x'] }, { a: { 0: 'x' } }, false],
  ['a longer list', { a: [1] }, { a: [1, 1] }, false],
  ['lists in another order', { a: [1, 2] }, { a: [2, 1] }, false],
  ['the same secret twice', secret('one'), secret('one'), true],
  ['two secrets', secret('one'), secret('two'), false],
  ['a secret and its text', secret('one'), { env: { KEY: 'one' } }, false],
  ['a name that every object has', { a: { toString: 1 } }, { a: { valueOf: 1 } }, false],
])('%s', (_what, a, b, same) => {
  expect([sameSpec(a, b), sameSpec(b, a)]).toEqual([same, same])
})
