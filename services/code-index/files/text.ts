// The text of a source file, or why it is left out.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Larger ones are data, not source. */
export const LARGEST_FILE = 1024 * 1024
/** A NUL in so many of the first bytes makes a file binary. */
const LOOKED_AT = 8192

/** Null for a file that is binary, larger than `LARGEST_FILE`, unreadable, or gone. */
export function textOf(path: string): string | null {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
  try {
    const { size } = fstatSync(file)
    if (size > LARGEST_FILE) return null
    const bytes = Buffer.allocUnsafe(size)
    const length = readWhole(file, bytes)
    const text = bytes.subarray(0, length)
    return text.subarray(0, LOOKED_AT).includes(0) ? null : text.toString('utf8').replace(/^\uFEFF/, '')
  } catch {
    return null
  } finally {
    closeSync(file)
  }
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
