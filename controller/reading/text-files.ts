// Texts that manifests name, such as prompt templates: of the source's own tree alone, and read again only when they
// have changed.
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs'
import { sep } from 'node:path'
import type { ReadText } from '../../schemas/kind.ts'
import { decode } from './yaml/text-decoding.ts'
import { MOST_BYTES } from './yaml/parse.ts'

export const UNREADABLE: ReadText = { fault: 'unreadable' }
export const OUTSIDE: ReadText = { fault: 'outside' }
export const POINTER: ReadText = { fault: 'lfs-pointer' }
export const NOT_SENT: ReadText = { fault: 'not-sent' }

export class TextFiles {
  readonly #known = new Map<string, { stamp: string; read: ReadText; changedAt: number }>()

  /** The text of a UTF-8 file of at most 1 MiB that stands in `tree`, all links resolved. */
  read(path: string, tree: string): ReadText {
    const real = realOrNull(path)
    const top = realOrNull(tree)
    // Whether something exists outside of the tree is not revealed.
    if (real === null || top === null) return this.#forget(path, isInside(path, tree) ? UNREADABLE : OUTSIDE)
    if (!isInside(real, top)) return this.#forget(path, OUTSIDE)
    const stats = statOrNull(real)
    if (!stats?.isFile() || stats.size > MOST_BYTES) return this.#forget(path, UNREADABLE)
    const stamp = `${real}:${stampOf(stats)}`
    const known = this.#known.get(path)
    if (known?.stamp === stamp) return known.read
    const read = readRegular(real, stats)
    this.#known.set(path, { stamp, read, changedAt: stats.ctimeMs })
    return read
  }

  /** When the file last changed, in milliseconds since 1970; 0 for one that was not read. */
  changedAt(path: string): number {
    return this.#known.get(path)?.changedAt ?? 0
  }

  #forget(path: string, read: ReadText): ReadText {
    this.#known.delete(path)
    return read
  }
}

const stampOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats) => `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`

/** Below `top`, by its path alone. */
export function isInside(path: string, top: string): boolean {
  return path.startsWith(top.endsWith(sep) ? top : top + sep)
}

/** Null for what is not there, and for what cannot be resolved. */
export function realOrNull(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** The text of a file by its bytes. */
export function textIn(content: Buffer): ReadText {
  const decoded = decode(content)
  if ('text' in decoded) return { text: decoded.text }
  return decoded.fault.code === 'lfs-pointer' ? POINTER : UNREADABLE
}

/** Null for what is not there, and for what cannot be asked about. */
export function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/**
 * What is opened is what was looked at: a link that took its place in between is not followed, and no pipe waited for.
 */
function readRegular(path: string, seen: Stats): ReadText {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      if (stampOf(fstatSync(file)) !== stampOf(seen) || realpathSync(path) !== path) return UNREADABLE
      return textIn(readFileSync(file))
    } finally {
      closeSync(file)
    }
  } catch {
    return UNREADABLE
  }
}
