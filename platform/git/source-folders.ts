// Where the data directory has what belongs to a git source.
import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { realOf } from '../core/real-path.ts'

/** Closed to agents. */
export const sourceFolder = (dataDir: string, source: string): string => join(dataDir, 'sources', source)
export const mirrorIn = (folder: string): string => join(folder, 'mirror.git')
export const indexIn = (folder: string): string => join(folder, 'index')

/** Open to agents. */
export const checkoutFolder = (dataDir: string, source: string): string => join(dataDir, 'checkouts', source)

export interface CheckoutPlace {
  /** Top of the files. */
  folder: string
  /** Path of the requested folder below the top. */
  below: string
  mirror: string
}

/** Returns the checkout that contains `path`; null if it is in none. */
export function checkoutAround(path: string, dataDir: string): CheckoutPlace | null {
  for (const data of new Set([dataDir, realOf(dataDir)])) {
    const [top, source, ...below] = relative(data, resolve(path)).split(sep)
    if (top !== 'checkouts' || !source) continue
    const mirror = mirrorIn(sourceFolder(data, source))
    if (existsSync(mirror)) return { folder: checkoutFolder(data, source), below: below.join(sep), mirror }
  }
  return null
}
