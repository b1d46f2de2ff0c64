// What must be read-only of the files that desired state is read from.
import { readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from '../../../../platform/files/within.ts'
import type { DesiredPlace } from '../../../../platform/files/desired-files.ts'

/** Further files of a larger folder are left to the plan, which holds what an agent could have written. */
const MOST_ENTRIES = 20_000

/**
 * Files that are read, and folders that hold only such files, so that no new one can be added there. Only those below
 * `writable`; all paths are real.
 */
export function desiredPaths(places: readonly DesiredPlace[], writable: readonly string[]): string[] {
  const single = new Set(places.filter(({ reads }) => reads === undefined).map(({ root }) => root))
  const found = places.flatMap((place) => {
    if (place.reads === undefined) return writable.some((each) => isWithin(place.root, each)) ? [place.root] : []
    const walk = new Walk((path) => single.has(path) || place.reads!(path))
    if (writable.some((each) => isWithin(place.root, each))) return walk.pathsOf(place.root)
    return writable.filter((each) => isWithin(each, place.root)).flatMap((each) => walk.pathsOf(each))
  })
  return [...new Set(found)].sort()
}

interface Folder {
  /** It contains other files. */
  isMixed: boolean
  paths: string[]
}

class Walk {
  readonly #reads: (path: string) => boolean
  #left = MOST_ENTRIES

  constructor(reads: (path: string) => boolean) {
    this.#reads = reads
  }

  pathsOf(folder: string): string[] {
    const { isMixed, paths } = this.#folder(folder)
    return isMixed ? paths : [folder]
  }

  #folder(folder: string): Folder {
    const found: Folder = { isMixed: false, paths: [] }
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (this.#left-- <= 0) return { ...found, isMixed: true }
      if (entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name)) {
        const { isMixed, paths } = this.#folder(path)
        if (isMixed) found.isMixed = true
        found.paths.push(...(isMixed ? paths : [path]))
      } else if (this.#reads(path)) {
        // The target of a link is a place of its own, and a link cannot be mounted.
        if (entry.isFile()) found.paths.push(path)
      } else found.isMixed = true
    }
    return found
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
