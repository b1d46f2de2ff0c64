import { expect, test } from 'vitest'
import { excerpt } from '../../../../web/screens/inbox/excerpt.ts'

test('cuts a long request in its middle, never at its end', () => {
  const text = excerpt(`echo ${'a '.repeat(300)}; rm -rf /`)
  expect([text.length <= 92, text.startsWith('echo a'), text.endsWith('; rm -rf /')]).toEqual([true, true, true])
  expect(excerpt('npm test')).toBe('npm test')
})

test('splits no character', () => {
  expect(excerpt('😀'.repeat(200))).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
})
