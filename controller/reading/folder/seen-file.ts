// A file as it was found at a look, and by what one notices that it has changed.
import type { FileFault } from '../yaml/text-decoding.ts'

export interface SeenFile {
  /** Relative to the root, with `/`. */
  path: string
  dev: number
  ino: number
  size: number
  /** Milliseconds since 1970, with the fraction the file system gives. */
  mtimeMs: number
  ctimeMs: number
  /** Why it cannot be read, if that shows without reading. */
  fault: FileFault | null
}

/** By what a change shows. */
export type Times = Pick<SeenFile, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>

/** Of what cannot be asked for. */
export const NOTHING: Times = {
  dev: 0,
  ino: 0,
  size: 0,
  mtimeMs: 0,
  ctimeMs: 0,
}

export function seenFile(path: string, { dev, ino, size, mtimeMs, ctimeMs }: Times, fault: FileFault | null): SeenFile {
  return { path, dev, ino, size, mtimeMs, ctimeMs, fault }
}

export function sameFile(a: SeenFile, b: SeenFile): boolean {
  return a === b || (a.path === b.path && a.fault?.message === b.fault?.message && isAsSeen(a, b))
}

export function isAsSeen(seen: Times | null, now: Times): boolean {
  return (
    seen !== null &&
    seen.ino === now.ino &&
    seen.mtimeMs === now.mtimeMs &&
    seen.ctimeMs === now.ctimeMs &&
    seen.size === now.size &&
    seen.dev === now.dev
  )
}
