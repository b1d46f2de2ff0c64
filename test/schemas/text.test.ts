import { describe, expect, test } from 'vitest'
import { indentedJson, replaceUnstorable, strictJson, textFault } from '../../schemas/validation/text.ts'

test('finds NUL and lone surrogates, and accepts pairs', () => {
  expect(textFault('a\0')).toEqual({ code: 'nul-character', seen: 'a NUL character', at: 1 })
  expect(textFault('ab\ud800')).toMatchObject({ code: 'lone-surrogate', at: 2 })
  expect(textFault('\ude00\ud83d')).toMatchObject({ at: 0 })
  expect(textFault('🦊 \uFFFD')).toBeNull()
})

test('replaces and counts in texts and names, and keeps other values', () => {
  const kept = { list: ['🦊', 1, null] }
  const { value, replaced } = replaceUnstorable({ kept, 'a\0': ['\ud800\ud800', true] })
  expect(value).toEqual({ kept, 'a\uFFFD': ['\uFFFD\uFFFD', true] })
  expect(value.kept).toBe(kept)
  expect(replaced).toBe(3)
  expect(replaceUnstorable(kept).value).toBe(kept)
})

describe('strict JSON', () => {
  const cases = ['\ud800', 'x\udfffy', '\\\ud800', '\\ud800', '\\\\ud800', '\\\\\ud800', '🦊\ud83e', '\0', 'plain']
  for (const text of cases)
    test(`is read as sent, apart from lone surrogates: ${JSON.stringify(text)}`, () => {
      const written = strictJson({ [text]: [text] })
      expect(Buffer.from(written).toString('utf8')).toBe(written)
      const clean = replaceUnstorable(text.replaceAll('\0', '\u0001')).value.replaceAll('\u0001', '\0')
      expect(JSON.parse(written)).toEqual({ [clean]: [clean] })
      expect(JSON.parse(indentedJson({ [text]: [text] }))).toEqual({ [clean]: [clean] })
    })
})
