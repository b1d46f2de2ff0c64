import { expect, test } from 'vitest'
import { shortValue, valueText } from '../../../../web/parts/text/value-text.ts'

test('prints strings unquoted and lists of strings by line', () => {
  expect([valueText('deny_all'), valueText(['Glob', 'Read']), valueText(''), valueText(null)]).toEqual([
    'deny_all',
    'Glob\nRead',
    '""',
    'null',
  ])
})

test('prints the fields of an object by line', () => {
  expect(valueText({ mode: 'allow_list', tools: ['Read', 'Glob'] })).toBe('mode: allow_list\ntools: Read, Glob')
  expect([valueText({}), valueText([]), valueText(undefined), valueText([{ a: 1 }])]).toEqual([
    'none',
    'none',
    'not set',
    '{"a":1}',
  ])
})

test('quotes a text of several lines, which could look like a field', () => {
  expect(valueText({ command: 'ls\ncwd: /safe' })).toBe('command: "ls\\ncwd: /safe"')
})

test('prints a value on one line', () => {
  expect([shortValue({ a: [1, null] }), shortValue(['a', 2]), shortValue(undefined), shortValue(true)]).toEqual([
    '{"a":[1,null]}',
    'a, 2',
    'not set',
    'true',
  ])
})
