import { expect, test } from 'vitest'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { parsedJson } from '../../../platform/json/sliced-parse.ts'

const LONG = 64 * 1024
const read = (text: string) => atOnce(parsedJson(text))

test.each(['\\n', '\\\\', '\\"', '\\u0041', '\\\\\\u00e4', '\\ud83e\\udd8a', 'ä🦊', 'a\\\\n'])(
  'parses strings of %s, wherever a slice ends',
  (unit) => {
    for (let shift = 0; shift < 14; shift++) {
      const long = `${'x'.repeat(shift)}${unit.repeat(Math.ceil((2.5 * LONG) / unit.length))}`
      const text = `{"a": [1, "short", "${long}"], "b" : "${long}", "__proto__": {"x": "y"}}`
      expect(read(text)).toEqual(JSON.parse(text))
      expect(Object.hasOwn(read(text) as object, '__proto__')).toBe(true)
    }
  },
)

test.each([
  ['ends in a string', `["${'x'.repeat(2 * LONG)}`],
  ['ends in an escape', `["${'x'.repeat(2 * LONG)}\\"]`],
  ['has an invalid escape', `["${'x'.repeat(2 * LONG)}\\q"]`],
  ['has a line break in a string', `["${'x\n'.repeat(LONG)}"]`],
  ['has two values', `"${'x'.repeat(2 * LONG)}" 1`],
])('throws a SyntaxError for a text that %s', (_what, text) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  expect(() => read(text)).toThrow(SyntaxError)
})

test('leaves names and short strings to JSON.parse', () => {
  const text = JSON.stringify({ ['n'.repeat(LONG - 10)]: 'v'.repeat(LONG - 10), rest: ['x'.repeat(LONG)] })
  expect(read(text)).toEqual(JSON.parse(text))
})
