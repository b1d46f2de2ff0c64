// The path that a program would reach: symbolic links followed, also those at which nothing stands yet.
import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { posix } from 'node:path'

const LONGEST = 4096
const MOST_LINKS = 40

/**
 * Every path that `path` may mean, with `..` taken before links are followed and after; null when it cannot be
 * told.
 */
export function realPaths(path: string): string[] | null {
  if (path.length > LONGEST || path.includes('\0')) return null
  const normal = posix.resolve('/', path)
  const lexical = follow(normal, 0)
  const physical = /(^|\/)\.\.(\/|$)/.test(path) ? follow(path, 0) : lexical
  return lexical === null || physical === null ? null : [...new Set([lexical, physical])]
}

/** The real path of the deepest ancestor that exists, and what is written below it. */
function follow(path: string, links: number): string | null {
  if (links > MOST_LINKS) return null
  let end = path.length
  for (;;) {
    const above = path.slice(0, end) || '/'
    const real = existing(above)
    if (real === null) return null
    if (real !== undefined) return posix.resolve(real, `.${path.slice(end)}`)
    const target = danglingLink(above)
    if (target !== null) {
      const from = target.startsWith('/') ? target : `${posix.dirname(above)}/${target}`
      return follow(from + path.slice(end), links + 1)
    }
    end = above.replace(/\/+$/, '').lastIndexOf('/')
    if (end < 0) return null
  }
}

/** Undefined when nothing is there; null when it cannot be told. */
function existing(path: string): string | null | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : null
  }
}

function danglingLink(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    // Not there, or below what is no directory.
    return null
  }
}

/** The entry at a path, links not followed; null when there is none or that cannot be told. */
export function entryAt(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}

/** Whether a path is a directory now; false when that cannot be told. */
export const isDirectory = (path: string): boolean => entryAt(path)?.isDirectory() ?? false

/** Whether `path` is `folder` or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
