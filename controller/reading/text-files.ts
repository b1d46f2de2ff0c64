// Texts that manifests reference, such as prompt templates, cached by their stats.
import { closeSync, fstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs'
import { sep } from 'node:path'
import { isHidden, type ClosedSet } from '../../platform/files/closed-set.ts'
import { openWithin, type OpenTree } from '../../platform/files/open-file.ts'
import type { ReadText } from '../../schemas/kind.ts'
import { decode } from './yaml/text-decoding.ts'
import { MOST_BYTES } from './yaml/parse.ts'

export const UNREADABLE: ReadText = { fault: 'unreadable' }
export const OUTSIDE: ReadText = { fault: 'outside' }
export const POINTER: ReadText = { fault: 'lfs-pointer' }
export const NOT_SENT: ReadText = { fault: 'not-sent' }
export const CLOSED: ReadText = { fault: 'closed' }

export class TextFiles {
  readonly #closed: ClosedSet | undefined
  readonly #known = new Map<string, { stamp: string; read: ReadText; changedAt: number }>()

  constructor(closed?: ClosedSet) {
    this.#closed = closed
  }

  /** UTF-8, at most 1 MiB, inside `tree` after resolving links. */
  read(path: string, tree: string): ReadText {
    const real = realOrNull(path)
    const top = realOrNull(tree)
    // Does not reveal whether a file outside the tree exists.
    if (real === null || top === null) return this.#forget(path, isInside(path, tree) ? UNREADABLE : OUTSIDE)
    if (!isInside(real, top)) return this.#forget(path, OUTSIDE)
    const stats = statOrNull(real)
    if (!stats?.isFile() || stats.size > MOST_BYTES) return this.#forget(path, UNREADABLE)
    const stamp = `${real}:${stampOf(stats)}`
    const known = this.#known.get(path)
    if (known?.stamp === stamp) return known.read
    const hidden = this.#closed?.hiddenIn(top) ?? []
    if (isHidden(real, hidden)) return this.#forget(path, CLOSED)
    const read = readSeen(real, stats, { root: top, hidden })
    this.#known.set(path, { stamp, read, changedAt: stats.ctimeMs })
    return read
  }

  /** Milliseconds since 1970; 0 if not read. */
  changedAt(path: string): number {
    return this.#known.get(path)?.changedAt ?? 0
  }

  #forget(path: string, read: ReadText): ReadText {
    this.#known.delete(path)
    return read
  }
}

const stampOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats) => `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`

/** Does not resolve links. */
export function isInside(path: string, top: string): boolean {
  return path.startsWith(top.endsWith(sep) ? top : top + sep)
}

export function realOrNull(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

export function textIn(content: Buffer): ReadText {
  const decoded = decode(content)
  if ('text' in decoded) return { text: decoded.text }
  return decoded.fault.code === 'lfs-pointer' ? POINTER : UNREADABLE
}

/** Null if missing or inaccessible. */
export function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** Reads only the file that was checked: a link that replaced it meanwhile may be gone again. */
function readSeen(path: string, seen: Stats, tree: OpenTree): ReadText {
  const file = openWithin(path, tree)
  if (file === null) return UNREADABLE
  try {
    return stampOf(fstatSync(file)) === stampOf(seen) ? textIn(readFileSync(file)) : UNREADABLE
  } catch {
    return UNREADABLE
  } finally {
    closeSync(file)
  }
}
