// Bounds of untrusted JSON, checked before parsing.
import { StringDecoder } from 'node:string_decoder'
import type { Pieces } from '../async/time-slices.ts'

export interface JsonBounds {
  /** Maximum nesting of objects and arrays. */
  depth: number
  /** Maximum fields and elements; strings may have any length. */
  values: number
}

/** Ten times the largest request, and far below a stack overflow. */
export const JSON_BOUNDS: JsonBounds = { depth: 64, values: 50_000 }

export type JsonExcess = 'too-deep' | 'too-many-values' | 'too-long-name'

/** Characters or bytes between interruption points. */
export const PIECE = 64 * 1024
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Returns the exceeded bound, or null. Undefined for invalid JSON. */
export function* jsonExcess(text: string, bounds = JSON_BOUNDS): Pieces<JsonExcess | null> {
  let [depth, values, rest] = [0, 0, PIECE]
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      const end = yield* endOfString(text, at + 1)
      if (end < 0) return null
      if (end - at > PIECE && isName(text, end)) return 'too-long-name'
      at = end
    } else if (character === LIST || character === OBJECT) {
      if (++depth > bounds.depth) return 'too-deep'
      values++
    } else if (character === LIST_END || character === OBJECT_END) depth--
    else if (character === COMMA) values++
    if (values > bounds.values) return 'too-many-values'
    if (--rest === 0) {
      rest = PIECE
      yield
    }
  }
  return null
}

function isName(text: string, quote: number): boolean {
  let at = quote + 1
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++
  return text.charCodeAt(at) === COLON
}

/** Returns the index of the closing quote, or -1. `from` is after the opening quote. */
export function* endOfString(text: string, from: number): Pieces<number> {
  let rest = PIECE / 16
  for (let at = from; ;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return -1
    let escapes = quote
    while (escapes > at && text.charCodeAt(escapes - 1) === BACKSLASH) escapes--
    if ((quote - escapes) % 2 === 0) return quote
    at = quote + 1
    if (--rest === 0) {
      rest = PIECE / 16
      yield
    }
  }
}

/** Invalid bytes become U+FFFD. */
export function* decoded(bytes: Buffer): Pieces<string> {
  if (bytes.length <= PIECE) return bytes.toString('utf8')
  const decoder = new StringDecoder('utf8')
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += PIECE) {
    parts.push(decoder.write(bytes.subarray(from, from + PIECE)))
    yield
  }
  parts.push(decoder.end())
  return parts.join('')
}

/** Returns true if copying the value field by field could pollute a prototype. */
export function holdsPrototype(value: unknown): boolean {
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    if (Object.hasOwn(next, '__proto__')) return true
    const made: unknown = Object.hasOwn(next, 'constructor') ? Reflect.get(next, 'constructor') : null
    if (typeof made === 'object' && made !== null && Object.hasOwn(made, 'prototype')) return true
    for (const member of Object.values(next)) if (typeof member === 'object') waiting.push(member)
  }
  return false
}
