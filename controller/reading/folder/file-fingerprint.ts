import type { FileFault } from '../yaml/text-decoding.ts'

export interface FileFingerprint {
  /** Relative to the root, with `/`. */
  path: string
  dev: number
  ino: number
  size: number
  /** Milliseconds since 1970, with a fraction. */
  mtimeMs: number
  ctimeMs: number
  /** Why the file cannot be read; null if unknown or readable. */
  fault: FileFault | null
}

export type StatFields = Pick<FileFingerprint, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>

export const NO_STATS: StatFields = { dev: 0, ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 }

export function fingerprint(
  path: string,
  { dev, ino, size, mtimeMs, ctimeMs }: StatFields,
  fault: FileFault | null,
): FileFingerprint {
  return { path, dev, ino, size, mtimeMs, ctimeMs, fault }
}

export function isSameFile(a: FileFingerprint, b: FileFingerprint): boolean {
  return a === b || (a.path === b.path && a.fault?.message === b.fault?.message && hasSameStats(a, b))
}

export function hasSameStats(known: StatFields, now: StatFields): boolean {
  return (
    known.ino === now.ino &&
    known.mtimeMs === now.mtimeMs &&
    known.ctimeMs === now.ctimeMs &&
    known.size === now.size &&
    known.dev === now.dev
  )
}
