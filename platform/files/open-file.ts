// Opens files below a folder that others write to. Checks the opened file and not its path, which can change meanwhile.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs'
import { isHidden, type ClosedSet } from './closed-set.ts'
import { isWithin } from './within.ts'

export interface OpenTree {
  /** Absolute, with links resolved. */
  root: string
  /** Result of `ClosedSet.hiddenIn`. */
  hidden: readonly string[]
}

/** Returns the descriptor of a regular file; null if it is missing, hidden or outside the root. The caller closes it. */
export function openWithin(path: string, { root, hidden }: OpenTree): number | null {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
  const real = fstatSync(file).isFile() ? openedPath(file, path) : null
  if (real !== null && isWithin(real, root) && !isHidden(real, hidden)) return file
  closeSync(file)
  return null
}

/** Reads a text file and follows links. Throws 422 `path-closed`, or the error of the system. */
export function readOpenText(path: string, closed: ClosedSet): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    closed.refuse('file', path, { real: presentPath(file, path) })
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Path of an opened file, with links resolved. Throws ENOENT if it was removed or replaced: it may have been any file. */
export function presentPath(file: number, path: string): string {
  const real = openedPath(file, path)
  if (real !== null) return real
  throw Object.assign(new Error(`${path} was removed or replaced while it was opened: try again`), { code: 'ENOENT' })
}

/** Path of an opened file, with links resolved; null if it was removed, or moved on a system without /proc. */
export function openedPath(file: number, path: string): string | null {
  const stats = fstatSync(file)
  if (stats.nlink === 0) return null
  try {
    return readlinkSync(`/proc/self/fd/${file}`)
  } catch {
    return samePlace(path, stats)
  }
}

/** For systems without /proc. */
function samePlace(path: string, { dev, ino }: Stats): string | null {
  try {
    const real = realpathSync(path)
    const there = statSync(real)
    return there.dev === dev && there.ino === ino ? real : null
  } catch {
    return null
  }
}
