// What folders hold, as they were listed last: one that has not changed since is not listed again.
import { readdirSync, type Dirent } from 'node:fs'
import type { Clock } from '../../../platform/core/clock.ts'
import { isAsSeen, type SeenFile, type Times } from './seen-file.ts'

/** A manifest, folder or link. */
export interface Listed {
  /** Relative to the root, with `/`. */
  path: string
  isManifest: boolean
  isLink: boolean
  /** As the file was found at the last look. */
  seen: SeenFile | null
}

interface Listing {
  times: Times
  entries: readonly Listed[]
  /** By the clock's `monotonic`. */
  at: number
}

const MANIFEST = /\.ya?ml$/i

/** By its name; other files beside the manifests are texts that they may name. */
export const isManifest = (path: string): boolean => MANIFEST.test(path)

/**
 * So long a folder must have been as it is when it is listed, in milliseconds: what comes or goes afterwards then shows
 * in its times, however coarse they are.
 */
const AT_REST_MS = 3000

/** A listing is believed no longer, in milliseconds: not every file system changes the times of a folder. */
const BELIEVED_MS = 10_000

export class Listings {
  readonly #clock: Clock
  #last = new Map<string, Listing>()
  #next = new Map<string, Listing>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Of a folder below `root`, whose `times` were taken just before. Throws what the file system says. */
  of(root: string, folder: string, times: Times): readonly Listed[] {
    const known = this.#last.get(folder)
    const listing = known && this.#holds(known, times) ? known : this.#listed(root, folder, times)
    if (listing === known || this.#isAtRest(times)) this.#next.set(folder, listing)
    return listing.entries
  }

  #listed(root: string, folder: string, { dev, ino, size, mtimeMs, ctimeMs }: Times): Listing {
    const times = { dev, ino, size, mtimeMs, ctimeMs }
    return { times, entries: listed(root, folder), at: this.#clock.monotonic() }
  }

  #holds({ times, at }: Listing, now: Times): boolean {
    return isAsSeen(times, now) && this.#clock.monotonic() - at < BELIEVED_MS
  }

  #isAtRest({ mtimeMs, ctimeMs }: Times): boolean {
    return this.#clock.now() - Math.max(mtimeMs, ctimeMs) > AT_REST_MS
  }

  /** All was looked at: what was not asked for is forgotten. */
  end(): void {
    this.#last = this.#next
    this.#next = new Map()
  }
}

function listed(root: string, folder: string): Listed[] {
  const entries: Listed[] = []
  for (const entry of readdirSync(folder === '' ? root : `${root}/${folder}`, { withFileTypes: true }))
    if (isLookedAt(entry))
      entries.push({
        path: folder === '' ? entry.name : `${folder}/${entry.name}`,
        isManifest: isManifest(entry.name),
        isLink: entry.isSymbolicLink(),
        seen: null,
      })
  return entries
}

/** Dotfiles and node_modules are left out. */
function isLookedAt(entry: Dirent): boolean {
  const { name } = entry
  if (name.startsWith('.') || name === 'node_modules') return false
  return isManifest(name) || entry.isDirectory() || entry.isSymbolicLink()
}
