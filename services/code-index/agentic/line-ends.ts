// A carriage return before a newline is part of the line end, but for grep part of the line.
import { closeSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GrepFailure } from './grep-process.ts'

const NEWLINE = 10
const LINE_END = '\r\n'

/** Matches all lines of `pattern`, and those that match without a carriage return at their end. */
export function withOptionalReturn(pattern: string): string {
  let made = ''
  for (let at = 0; at < pattern.length;) {
    const to = endOfToken(pattern, at)
    const token = pattern.slice(at, to)
    const isEnd = token === "\\'" || (token === '$' && /^($|\n|\\[)|])/.test(pattern.slice(to, to + 2)))
    made += isEnd ? `\r\\?${token}` : token
    at = to
  }
  return made
}

/** A token is a character, an escaped character or a bracket expression. */
function endOfToken(pattern: string, from: number): number {
  if (pattern[from] === '\\') return from + 2
  if (pattern[from] !== '[') return from + 1
  let at = from + 1
  if (pattern[at] === '^') at++
  if (pattern[at] === ']') at++
  while (at < pattern.length && pattern[at] !== ']') {
    const isClass = pattern[at] === '[' && /[.:=]/.test(pattern[at + 1] ?? '')
    const end = isClass ? pattern.indexOf(`${pattern[at + 1]}]`, at + 2) : -1
    at = end < 0 ? at + 1 : end + 2
  }
  return at + 1
}

/** Returns a descriptor of a temporary copy without carriage returns before newlines; null if the file has none. */
export function withoutReturns(file: number): { file: number; bytes: number } | null {
  const bytes = contentOf(file)
  let end = bytes.indexOf(LINE_END)
  if (end < 0) return null
  let length = 0
  for (let from = 0; from < bytes.length;) {
    const to = end < 0 ? bytes.length : end
    bytes.copyWithin(length, from, to)
    length += to - from
    if (end >= 0) bytes[length++] = NEWLINE
    from = end < 0 ? to : to + LINE_END.length
    end = bytes.indexOf(LINE_END, from)
  }
  return { file: temporary(bytes.subarray(0, length)), bytes: length }
}

function contentOf(file: number): Buffer {
  const bytes = Buffer.allocUnsafe(fstatSync(file).size)
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

/** Descriptor of a file without a name, at its beginning. */
function temporary(bytes: Buffer): number {
  const path = join(tmpdir(), `svc-grep-${randomUUID()}`)
  let file: number | null = null
  try {
    file = openSync(path, 'wx+', 0o600)
    rmSync(path)
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at)
    return file
  } catch (error) {
    if (file !== null) closeSync(file)
    throw new GrepFailure(`failed to write a temporary file: ${(error as Error).message}: free space in ${tmpdir()}`)
  }
}
