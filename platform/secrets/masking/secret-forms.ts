import { visibleText } from './invisible-text.ts'

export interface Form {
  text: string
  asWord: boolean
}

/** Minimum length to be masked as a word, and to be masked anywhere. */
const LEAST = 4
export const LEAST_ANYWHERE = 8
/** Minimum length of single lines of a value (a key, a certificate). */
const LEAST_LINE = 16

const COMMON: ReadonlySet<string> = new Set(['true', 'false', 'null', 'none', 'undefined'])

/** Returns the encodings of a value; none if it would match everywhere. */
export function formsOf(value: string): Form[] {
  const trimmed = value.trim()
  if (trimmed.length < LEAST || COMMON.has(trimmed.toLowerCase())) return []
  if (trimmed.length < LEAST_ANYWHERE) return [{ text: visibleText(trimmed), asWord: true }]
  const lines = trimmed.split(/[\r\n]+/).map((line) => line.trim())
  const texts = new Set([trimmed, ...lines.filter((line) => line.length >= LEAST_LINE)].flatMap(writtenForms))
  const shown = new Set([...texts].map(visibleText))
  return [...shown]
    .filter((text) => text.length >= LEAST)
    .map((text) => ({ text, asWord: text.length < LEAST_ANYWHERE }))
}

function writtenForms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8')
  const json = JSON.stringify(value).slice(1, -1)
  const url = encodeURIComponent(bytes.toString('utf8'))
  const hex = bytes.toString('hex')
  return [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    asciiJson(json),
    url,
    url.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    url.replaceAll('%20', '+'),
    value.replaceAll("'", String.raw`'\''`),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => base64Forms(bytes, offset)),
  ]
}

function asciiJson(json: string): string {
  return json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Base64 of the value inside a longer text, without characters shared with its neighbours. */
function base64Forms(bytes: Buffer, offset: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const own = encoded.slice([0, 2, 3][offset], Math.floor(((offset + bytes.length) * 8) / 6))
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
}
