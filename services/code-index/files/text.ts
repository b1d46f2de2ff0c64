import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Bytes; larger files are data, not source. */
export const LARGEST_FILE = 1024 * 1024
/** A NUL within these first bytes marks a file as binary. */
const LOOKED_AT = 8192

/** Null for a binary, unreadable, missing or too large file. */
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
