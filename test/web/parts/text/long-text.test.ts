import { describe, expect, test } from 'vitest'
import { bytesText, headOf, MOST_CHARACTERS, MOST_LINES } from '../../../../web/parts/text/long-text.ts'

describe('the head of a long text', () => {
  test('ends at a line', () => {
    const text = 'line\n'.repeat(MOST_LINES + 10)
    expect(headOf(text)).toEqual({ text: 'line\n'.repeat(MOST_LINES), rest: 50 })
  })

  test('ends within a line that is too long', () => {
    expect(headOf('x'.repeat(MOST_CHARACTERS + 5))).toEqual({ text: 'x'.repeat(MOST_CHARACTERS), rest: 5 })
  })

  test('stops before a line that does not fit', () => {
    expect(headOf(`short\n${'x'.repeat(MOST_CHARACTERS)}`)).toEqual({ text: 'short\n', rest: MOST_CHARACTERS })
  })

  test('is the whole of a short text', () => {
    expect(headOf('a\nb')).toEqual({ text: 'a\nb', rest: 0 })
    expect(headOf('')).toEqual({ text: '', rest: 0 })
  })
})

test('prints sizes in decimal units', () => {
  expect([0, 999, 1000, 9_700_000, 256_000].map(bytesText)).toEqual(['0 B', '999 B', '1.0 kB', '9.7 MB', '256 kB'])
})
