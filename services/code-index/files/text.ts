import { closeSync, fstatSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { openWithin, type OpenTree } from '../../../platform/files/open-file.ts'

/** Bytes; larger files are data, not source. */
export const LARGEST_FILE = 1024 * 1024
/** A NUL within these first bytes marks a file as binary. */
const LOOKED_AT = 8192

/**
 * Lines end with a newline only. `path` is relative to the root. Null for a binary, unreadable, missing, hidden or too
 * large file.
 */
export function textOf(path: string, tree: OpenTree): string | null {
  const file = openWithin(join(tree.root, path), tree)
  if (file === null) return null
  try {
    const found = readText(file)
    return 'text' in found ? found.text : null
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}

/** Reads an opened file, or returns why it is not source. Throws the error of the system. */
export function readText(file: number): { text: string } | { fault: 'too large' | 'binary' } {
  const { size } = fstatSync(file)
  if (size > LARGEST_FILE) return { fault: 'too large' }
  const bytes = Buffer.allocUnsafe(size)
  const content = bytes.subarray(0, readWhole(file, bytes))
  if (content.subarray(0, LOOKED_AT).includes(0)) return { fault: 'binary' }
  const text = content
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
  return { text }
}

function readWhole(file: number, bytes: Buffer): number {
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, length)
    if (read === 0) break
    length += read
  }
  return length
}
