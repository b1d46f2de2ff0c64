import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blocksOf, completeness, segmentsOf, signedText, signText } from '../../../../web/parts/text/signs.ts'

const at = (...points: number[]) => String.fromCodePoint(...points)

describe('signs', () => {
  test('replace characters that reorder text', () => {
    expect(segmentsOf(`rm ${at(0x202e)}gpj.exe`)).toEqual([
      { text: 'rm ' },
      { sign: 'RLO', code: 'U+202E' },
      { text: 'gpj.exe' },
    ])
  })

  test('replace invisible characters and unusual spaces', () => {
    const hidden = [0x00, 0x1b, 0x7f, 0x85, 0xa0, 0xad, 0x200b, 0x2028, 0x2800, 0x3000, 0x3164, 0xfe0f, 0xe0041]
    const signs = hidden.map((point) => segmentsOf(at(point)))
    expect(signs.every(([segment]) => 'sign' in segment!)).toBe(true)
    expect(segmentsOf(at(0xe0041))).toEqual([{ sign: 'U+E0041', code: 'U+E0041' }])
  })

  test('replace marks that would cover other lines', () => {
    expect(segmentsOf(`e${at(0x301)}${at(0x338).repeat(300)}x`)).toEqual([
      { text: `e${at(0x301)}${at(0x338).repeat(3)}` },
      { sign: 'U+0338', code: 'U+0338', count: 297 },
      { text: 'x' },
    ])
  })

  test('replace lone surrogates', () => {
    expect(segmentsOf('a\ud800b')).toEqual([{ text: 'a' }, { sign: 'U+D800', code: 'U+D800' }, { text: 'b' }])
  })

  test('keep letters of every script, emoji, tabs and line feeds', () => {
    const plain = 'git\tlog\nשלום 漢字 é 😀'
    expect(segmentsOf(plain)).toEqual([{ text: plain }])
  })

  test('lose no character of any text', () => {
    const pointOf = (code: string) => at(Number.parseInt(code.slice(2), 16))
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const joined = segmentsOf(text).map((each) =>
          'text' in each ? each.text : pointOf(each.code).repeat(each.count ?? 1),
        )
        expect(joined.join('')).toBe(text)
      }),
    )
  })
})

describe('complete text', () => {
  test('counts lines, characters and signs', () => {
    const text = `a${at(0x200b)}b\nc${at(0x200b)}${at(0x202e)}`
    expect(completeness(signedText(text))).toBe('Complete: 2 lines, 7 characters, 3 invisible: 2 ZWSP, 1 RLO')
    expect(completeness(signedText('ls'))).toBe('Complete: 1 line, 2 characters, none invisible')
  })
})

test('joins equal signs in a row, and counts each of them', () => {
  const { lines, signs } = signedText(`a${'\u200b'.repeat(900)}b`)
  expect(lines[0]!.map((segment) => ('text' in segment ? segment.text : signText(segment)))).toEqual([
    'a',
    'ZWSP ×900',
    'b',
  ])
  expect(signs).toEqual([{ sign: 'ZWSP', count: 900 }])
})

test('shows a text of very many lines or signs in blocks, complete', () => {
  const text = Array.from({ length: 2501 }, (_, index) => `line ${index}`).join('\n')
  const blocks = blocksOf(signedText(text))!
  expect(blocks.map(({ from }) => from)).toEqual([1, 501, 1001, 1501, 2001, 2501])
  expect(blocks.map((block) => block.text).join('\n')).toBe(text)
  expect(blocksOf(signedText('\u200b\u200c'.repeat(1001)))![0]!.text).toMatch(/^⟨ZWSP⟩⟨ZWNJ⟩/)
  expect(blocksOf(signedText('ls\n'))).toBeNull()
})
