import { expect, test } from 'vitest'
import { excerpt, splitEnd } from '../../../../web/parts/text/excerpt.ts'

test('cuts a long request in its middle, never at its end', () => {
  const text = excerpt(`echo ${'a '.repeat(300)}; rm -rf /`)
  expect([text.length <= 92, text.startsWith('echo a'), text.endsWith('; rm -rf /')]).toEqual([true, true, true])
  expect(excerpt('npm test')).toBe('npm test')
})

test('cuts a text to a given number of characters', () => {
  const text = excerpt(`${'a'.repeat(50)} the end`, 30)
  expect([text.length, text.endsWith(' the end')]).toEqual([30, true])
})

test('splits no character', () => {
  expect(excerpt('😀'.repeat(200))).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
  expect(splitEnd('😀'.repeat(9), 2)).toEqual(['😀'.repeat(7), '😀😀'])
})

test('keeps the end of a line apart, at most a third of it', () => {
  expect(splitEnd('npm test -- --run', 4)).toEqual(['npm test -- -', '-run'])
  expect(splitEnd('greeter', 4)).toEqual(['greet', 'er'])
  expect(splitEnd('', 5)).toEqual(['', ''])
})
