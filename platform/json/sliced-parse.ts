// Long strings dominate the cost, so they are parsed separately in slices.
import { randomUUID } from 'node:crypto'
import type { Pieces } from '../async/time-slices.ts'
import { endOfString, PIECE } from './json-bounds.ts'

/** Parses like JSON.parse. SyntaxErrors lack positions in a text with long strings. */
export function* parsedJson(text: string): Pieces<unknown> {
  if (text.length <= PIECE) return JSON.parse(text)
  const { rest, strings, mark } = yield* withoutLongStrings(text)
  yield
  if (strings.length === 0) return JSON.parse(text)
  return JSON.parse(rest, (_key, value) =>
    typeof value === 'string' && value.startsWith(mark) ? strings[Number(value.slice(mark.length))] : value,
  )
}

interface Cut {
  rest: string
  strings: string[]
  /** Unguessable prefix of the placeholder of a string; its number follows. */
  mark: string
}

/** Keeps field names: jsonExcess() rejects long ones. */
function* withoutLongStrings(text: string): Pieces<Cut> {
  const mark = `${randomUUID()} `
  const [parts, strings]: [string[], string[]] = [[], []]
  let taken = 0
  for (let open = text.indexOf('"'); open >= 0;) {
    const close = yield* endOfString(text, open + 1)
    if (close < 0) break
    if (close - open > PIECE) {
      parts.push(text.slice(taken, open), `"${mark}${strings.length}"`)
      strings.push(yield* longString(text, open + 1, close))
      taken = close + 1
    }
    open = text.indexOf('"', close + 1)
    yield
  }
  parts.push(text.slice(taken))
  return { rest: parts.join(''), strings, mark }
}

function* longString(text: string, from: number, close: number): Pieces<string> {
  const parts: string[] = []
  for (let at = from; at < close;) {
    const end = Math.min(close, afterEscape(text, at, at + PIECE))
    parts.push(stretch(text.slice(at, end)))
    at = end
    yield
  }
  return parts.join('')
}

function stretch(escaped: string): string {
  try {
    return JSON.parse(`"${escaped}"`)
  } catch {
    throw new SyntaxError('invalid JSON: malformed string')
  }
}

/** `\\u0041` */
const LONGEST_ESCAPE = 6

/** Moves `cut` past an escape sequence that it would split. */
function afterEscape(text: string, from: number, cut: number): number {
  const near = text.slice(cut - LONGEST_ESCAPE, cut).lastIndexOf('\\')
  if (near < 0) return cut
  const backslash = cut - LONGEST_ESCAPE + near
  let first = backslash
  while (first > from && text[first - 1] === '\\') first--
  // The second backslash ends its escape.
  if ((backslash - first) % 2 === 1) return cut
  return Math.max(cut, backslash + (text[backslash + 1] === 'u' ? LONGEST_ESCAPE : 2))
}
