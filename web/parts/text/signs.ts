/** Visible text, or a character that would be invisible or reorder its neighbours. */
export type Segment = { text: string } | Sign

export interface Sign {
  /** "RLO", or the code. */
  sign: string
  /** "U+202E" */
  code: string
  /** Number of equal characters in a row; default 1. */
  count?: number
}

/** "RLO", "ZWSP ×900" */
export const signText = ({ sign, count = 1 }: Sign): string => (count === 1 ? sign : `${sign} ×${count}`)

/**
 * Line feed and tab stay; every other control, format, filler or unusual space becomes a sign, and every mark after four
 * on one letter, because many of them cover other lines.
 */
const UNSEEN =
  /(?![\n\t])(?:[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<=\p{M}{4})\p{M}|(?! )\p{Zs})/gu

const NAMES: Readonly<Record<number, string>> = {
  0x00: 'NUL',
  0x07: 'BEL',
  0x08: 'BS',
  0x0b: 'VT',
  0x0c: 'FF',
  0x0d: 'CR',
  0x1b: 'ESC',
  0x7f: 'DEL',
  0x85: 'NEL',
  0xa0: 'NBSP',
  0xad: 'SHY',
  0x61c: 'ALM',
  0x200b: 'ZWSP',
  0x200c: 'ZWNJ',
  0x200d: 'ZWJ',
  0x200e: 'LRM',
  0x200f: 'RLM',
  0x2028: 'LSEP',
  0x2029: 'PSEP',
  0x202a: 'LRE',
  0x202b: 'RLE',
  0x202c: 'PDF',
  0x202d: 'LRO',
  0x202e: 'RLO',
  0x2060: 'WJ',
  0x2066: 'LRI',
  0x2067: 'RLI',
  0x2068: 'FSI',
  0x2069: 'PDI',
  0xfeff: 'BOM',
}

const codeOf = (point: number): string => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`

function signOf(character: string): Sign {
  const point = character.codePointAt(0)!
  const code = codeOf(point)
  return { sign: NAMES[point] ?? code, code }
}

/** Splits text into visible parts and signs, in order; equal signs in a row are one. Nothing is missing. */
export function segmentsOf(text: string): Segment[] {
  const found: Segment[] = []
  let end = 0
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    if (index > end) found.push({ text: text.slice(end, index) })
    const sign = signOf(character)
    const last = found.at(-1)
    if (last && 'sign' in last && last.code === sign.code) last.count = (last.count ?? 1) + 1
    else found.push(sign)
    end = index + character.length
  }
  if (end < text.length) found.push({ text: text.slice(end) })
  return found
}

export interface SignedText {
  /** One entry per line. */
  lines: Segment[][]
  /** Code points, line feeds included. */
  characters: number
  /** Signs by name, most frequent first. */
  signs: { sign: string; count: number }[]
}

/** Complete text for a decision: nothing is cut, and invisible characters are counted. */
export function signedText(text: string): SignedText {
  const lines = text.split('\n').map(segmentsOf)
  const counts = new Map<string, number>()
  for (const segment of lines.flat())
    if ('sign' in segment) counts.set(segment.sign, (counts.get(segment.sign) ?? 0) + (segment.count ?? 1))
  return {
    lines,
    characters: Array.from(text).length,
    signs: [...counts].map(([sign, count]) => ({ sign, count })).sort((a, b) => b.count - a.count),
  }
}

/** Above either number, a text has no element per line or sign, because a million of them stop the page. */
const MOST_LINES = 2000
const MOST_SIGNS = 2000
const LINES_PER_BLOCK = 500

export interface TextBlock {
  /** Number of its first line. */
  from: number
  lines: number
  text: string
}

/** A text that is too large for an element per line, in blocks with signs in brackets; null for any other text. */
export function blocksOf({ lines }: Pick<SignedText, 'lines'>): TextBlock[] | null {
  const signs = lines.reduce((sum, segments) => sum + segments.filter((segment) => 'sign' in segment).length, 0)
  if (lines.length <= MOST_LINES && signs <= MOST_SIGNS) return null
  const plain = (segment: Segment) => ('text' in segment ? segment.text : `\u27e8${signText(segment)}\u27e9`)
  const blocks: TextBlock[] = []
  for (let from = 0; from < lines.length; from += LINES_PER_BLOCK) {
    const some = lines.slice(from, from + LINES_PER_BLOCK)
    const text = some.map((segments) => segments.map(plain).join('')).join('\n')
    blocks.push({ from: from + 1, lines: some.length, text })
  }
  return blocks
}

const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** For example "Complete: 4 lines, 174 characters, 2 invisible: 2 RLO". */
export function completeness({ lines, characters, signs }: SignedText): string {
  const total = signs.reduce((sum, { count }) => sum + count, 0)
  const invisible =
    total === 0
      ? 'none invisible'
      : `${total.toLocaleString('en')} invisible: ${signs.map(({ sign, count }) => `${count} ${sign}`).join(', ')}`
  return `Complete: ${counted(lines.length, 'line')}, ${counted(characters, 'character')}, ${invisible}`
}
