// What folders hold, as they were listed last: one that has not changed since is not listed again.
import { readdirSync, type Dirent } from 'node:fs'
import type { Clock } from '../../../platform/clock.ts'
import type { SeenFile, Times } from './seen-file.ts'

/** A manifest, folder or link. */
export interface Listed {
  /** Relative to the root, with `/`. */
  path: string
  isManifest: boolean
  isLink: boolean
  /** As the file was found at the last look. */
  seen: SeenFile | null
}

type Identity = Omit<Times, 'size'>

interface Listing extends Identity {
  entries: readonly Listed[]
}

const MANIFEST = /\.ya?ml$/i

/** By its name; other files beside the manifests are texts that they may name. */
export const isManifest = (path: string): boolean => MANIFEST.test(path)

/**
 * So long a folder must have been as it is when it is listed, in milliseconds: what comes or goes afterwards then shows
 * in its times, however coarse they are.
 */
const AT_REST_MS = 3000

export class Listings {
  readonly #clock: Clock
  #last = new Map<string, Listing>()
  #next = new Map<string, Listing>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Of a folder below `root`, whose `stats` were taken just before. Throws what the file system says. */
  of(root: string, folder: string, stats: Identity): readonly Listed[] {
    const known = this.#last.get(folder)
    const listing = known && isSame(known, stats) ? known : listed(root, folder, stats)
    if (listing === known || this.#isAtRest(stats)) this.#next.set(folder, listing)
    return listing.entries
  }

  #isAtRest({ mtimeMs, ctimeMs }: Identity): boolean {
    return this.#clock.now() - Math.max(mtimeMs, ctimeMs) > AT_REST_MS
  }

  /** All was looked at: what was not asked for is forgotten. */
  end(): void {
    this.#last = this.#next
    this.#next = new Map()
  }
}

function listed(root: string, folder: string, { dev, ino, mtimeMs, ctimeMs }: Identity): Listing {
  const entries: Listed[] = []
  for (const entry of readdirSync(folder === '' ? root : `${root}/${folder}`, { withFileTypes: true }))
    if (isLookedAt(entry))
      entries.push({
        path: folder === '' ? entry.name : `${folder}/${entry.name}`,
        isManifest: isManifest(entry.name),
        isLink: entry.isSymbolicLink(),
        seen: null,
      })
  return { dev, ino, mtimeMs, ctimeMs, entries }
}

/** Dotfiles and node_modules are left out. */
function isLookedAt(entry: Dirent): boolean {
  const { name } = entry
  if (name.startsWith('.') || name === 'node_modules') return false
  return isManifest(name) || entry.isDirectory() || entry.isSymbolicLink()
}

function isSame(a: Identity, b: Identity): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs
}
