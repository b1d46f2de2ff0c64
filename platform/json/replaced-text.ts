// Text of bytes that are not ours to refuse: webhook deliveries and agents' frames.
import { isUtf8 } from 'node:buffer'
import type { Pieces } from '../async/time-slices.ts'
import { replaceUnstorable, type Replaced } from '../../schemas/validation/text.ts'
import { decoded } from './json-bounds.ts'

/** Invalid UTF-8 and NUL become U+FFFD. */
export function* replacedText(bytes: Buffer): Pieces<Replaced<string>> {
  const text = yield* decoded(bytes)
  const invalid = isUtf8(bytes) ? 0 : count(text, '\uFFFD') - count(bytes, WRITTEN)
  const { value, replaced } = replaceUnstorable(text)
  return { value, replaced: replaced + invalid }
}

/** U+FFFD that was sent as such. */
const WRITTEN = Buffer.from('\uFFFD')

function count<T extends string | Buffer>(whole: T, part: T): number {
  let found = 0
  for (let at = whole.indexOf(part as string); at >= 0; at = whole.indexOf(part as string, at + part.length)) found++
  return found
}
