// Reads JSON as strict parsers do: UTF-8 only, and no half of a surrogate pair, not even escaped.
import { replaceUnstorable } from '../../../schemas/validation/text.ts'

/** Throws unless the text is strict JSON. `TextDecoder` also refuses invalid bytes. */
export function strictlyParsed(sent: string | Uint8Array): any {
  const text = typeof sent === 'string' ? sent : new TextDecoder('utf-8', { fatal: true }).decode(sent)
  const value: unknown = JSON.parse(text)
  // NUL is strict JSON if it is escaped.
  const { replaced } = replaceUnstorable(JSON.parse(text.replaceAll('\\u0000', '')))
  if (replaced > 0) throw new Error(`${replaced} halves of surrogate pairs in ${text.slice(0, 500)}`)
  return value
}
