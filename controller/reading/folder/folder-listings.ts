import { readdirSync, type Dirent } from 'node:fs'
import type { Clock } from '../../../platform/core/clock.ts'
import { hasSameStats, type FileFingerprint, type StatFields } from './file-fingerprint.ts'

export interface ListedEntry {
  path: string
  isManifest: boolean
  isLink: boolean
  /** From the last scan. */
  file: FileFingerprint | null
}

export interface Listing {
  entries: readonly ListedEntry[]
  fileCount: number
  stats: StatFields
  /** Monotonic time in milliseconds. */
  at: number
}

const MANIFEST = /\.ya?ml$/i

/** Other files are texts that manifests may reference. */
export const isManifest = (path: string): boolean => MANIFEST.test(path)

/** Dotfiles and node_modules are neither read nor watched. */
export const isIgnored = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

export const isHidden = (path: string): boolean => path.split('/').some(isIgnored)

/** A folder must be unchanged for this long before its listing is cached: coarse timestamps may hide a later change. */
const AT_REST_MS = 3000

/** Listings expire because not every file system updates folder times. */
const EXPIRY_MS = 10_000

export class FolderListings {
  readonly #clock: Clock
  #last = new Map<string, Listing>()
  #next = new Map<string, Listing>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `stats` must be fresh. Throws file system errors. */
  list(root: string, folder: string, stats: StatFields): Listing {
    const known = this.#last.get(folder)
    const listing = known && this.#isCurrent(known, stats) ? known : this.#read(root, folder, stats)
    if (listing === known || this.#isAtRest(stats)) this.#next.set(folder, listing)
    return listing
  }

  #read(root: string, folder: string, { dev, ino, size, mtimeMs, ctimeMs }: StatFields): Listing {
    const all = readdirSync(folder === '' ? root : `${root}/${folder}`, { withFileTypes: true })
    const shown = all.filter(({ name }) => !isIgnored(name))
    return {
      entries: shown.filter(isScanned).map((entry) => ({
        path: folder === '' ? entry.name : `${folder}/${entry.name}`,
        isManifest: isManifest(entry.name),
        isLink: entry.isSymbolicLink(),
        file: null,
      })),
      fileCount: shown.filter((entry) => !entry.isDirectory()).length,
      stats: { dev, ino, size, mtimeMs, ctimeMs },
      at: this.#clock.monotonic(),
    }
  }

  #isCurrent({ stats, at }: Listing, now: StatFields): boolean {
    return hasSameStats(stats, now) && this.#clock.monotonic() - at < EXPIRY_MS
  }

  #isAtRest({ mtimeMs, ctimeMs }: StatFields): boolean {
    return this.#clock.now() - Math.max(mtimeMs, ctimeMs) > AT_REST_MS
  }

  /** Drops listings that the scan did not use. */
  end(): void {
    this.#last = this.#next
    this.#next = new Map()
  }
}

const isScanned = (entry: Dirent): boolean => isManifest(entry.name) || entry.isDirectory() || entry.isSymbolicLink()
