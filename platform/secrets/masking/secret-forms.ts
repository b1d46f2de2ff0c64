// The forms in which a secret value is looked for.
import { visibleText } from './invisible-text.ts'

export interface Form {
  text: string
  /** Counts only where it stands as a word by itself. */
  asWord: boolean
}

/** Characters from which on a value is masked as a word, and from which on anywhere. */
const LEAST = 4
export const LEAST_ANYWHERE = 8
/** Lines of a value of several (a key, a certificate) that are looked for by themselves. */
const LEAST_LINE = 16

/** Values that stand in every text and keep nothing secret. */
const COMMON: ReadonlySet<string> = new Set(['true', 'false', 'null', 'none', 'undefined'])

/** The forms of a value; none for one that would be found everywhere. */
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

/** As serialisers write it that keep to ASCII. */
function asciiJson(json: string): string {
  return json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** What of the base64 of a longer text is the value's alone, where it begins `offset` bytes past a group of three. */
function base64Forms(bytes: Buffer, offset: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const own = encoded.slice([0, 2, 3][offset], Math.floor(((offset + bytes.length) * 8) / 6))
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
}
