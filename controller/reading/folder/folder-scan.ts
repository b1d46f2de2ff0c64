import { lstatSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { atOnce, type Pieces } from '../../../platform/async/time-slices.ts'
import { systemClock } from '../../../platform/core/clock.ts'
import type { FileFault } from '../yaml/text-decoding.ts'
import {
  fingerprint,
  hasSameStats,
  isSameFile,
  NO_STATS,
  type FileFingerprint,
  type StatFields,
} from './file-fingerprint.ts'
import { FolderListings, type ListedEntry } from './folder-listings.ts'
import { leavesWorktree } from './git-worktree.ts'

export interface FolderScan {
  root: string
  files: FileFingerprint[]
  /** Folders and links by path; a new identity means it was replaced. */
  places: Map<string, { identity: string; isLink: boolean }>
  /** Files of any name except ignored ones. */
  fileCount: number
  foldersChangedMs: number
}

const MOST_LEVELS = 64
/** `entries` are manifests, folders and links. A few nested `folderLinks` can expand endlessly. */
const BOUNDS = { entries: 200_000, folderLinks: 10_000 }

/**
 * Scans `root` recursively, sorted by path; follows links, skips dotfiles and node_modules. Throws if the root cannot
 * be listed.
 */
export function scanAtOnce(root: string): FolderScan {
  return sortByPath(atOnce(scanFolder(root)))
}

export function sortByPath(scan: FolderScan): FolderScan {
  return { ...scan, files: [...scan.files].sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

/**
 * Does not sort, which would take half as long as the scan; file system order is stable while nothing is added or
 * removed. Unchanged files keep their object identity if `listings` is reused.
 */
export function* scanFolder(
  root: string,
  { bounds = BOUNDS, listings = new FolderListings(systemClock) } = {},
): Pieces<FolderScan> {
  const scan: FolderScan = { root, files: [], places: new Map(), fileCount: 0, foldersChangedMs: 0 }
  const walk: Walk = { bounds, listings, scan, entries: 0, folderLinks: 0, isFull: false }
  const stats = statSync(root)
  yield* scanEntries(walk, '', [identity(stats)], listEntries(walk, '', stats))
  scan.foldersChangedMs = Math.max(scan.foldersChangedMs, statSync(root).ctimeMs)
  listings.end()
  return scan
}

interface Walk {
  bounds: typeof BOUNDS
  listings: FolderListings
  scan: FolderScan
  entries: number
  folderLinks: number
  isFull: boolean
}

function identity({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

/** Includes the birth time, because a new folder at the same path may reuse the inode. */
export function placeIdentity(stats: Stats): string {
  return `${identity(stats)}:${stats.birthtimeMs}`
}

function listEntries({ listings, scan }: Walk, folder: string, stats: Stats): readonly ListedEntry[] {
  const { entries, fileCount } = listings.list(scan.root, folder, stats)
  scan.fileCount += fileCount
  return entries
}

function* scanEntries(
  walk: Walk,
  folder: string,
  above: readonly string[],
  entries: readonly ListedEntry[],
): Pieces<void> {
  for (const entry of entries) {
    if (walk.isFull) return
    if (++walk.entries > walk.bounds.entries)
      return stop(walk, folder, `${walk.bounds.entries} manifests, folders and links`)
    const below = scanEntry(walk, entry, above)
    if (below) yield* below
    yield
  }
}

/** Returns the scan of a folder's entries; null for anything else. */
function scanEntry(walk: Walk, entry: ListedEntry, above: readonly string[]): Pieces<void> | null {
  const { path, isManifest, isLink } = entry
  const { scan } = walk
  try {
    const stats = statSync(`${scan.root}/${path}`)
    if (stats.isFile() && isManifest && !isLink) {
      if (entry.file === null || !hasSameStats(entry.file, stats)) entry.file = fingerprint(path, stats, null)
      scan.files.push(entry.file)
      return null
    }
    const isFolder = stats.isDirectory()
    if ((isManifest || isFolder) && isLink && leavesWorktree(scan.root, path)) {
      addFile(walk, path, stats, OUTSIDE)
      return null
    }
    if (isFolder || isLink) scan.places.set(path, { identity: placeIdentity(stats), isLink })
    if (isFolder && isLink && ++walk.folderLinks > walk.bounds.folderLinks)
      stop(walk, path, `${walk.bounds.folderLinks} links to folders`)
    else if (isFolder) return scanBelow(walk, path, stats, above)
    else if (isManifest) addFile(walk, path, stats, stats.isFile() ? null : IRREGULAR)
  } catch (error) {
    addUnreadable(walk, path, isManifest, error as NodeJS.ErrnoException)
  }
  return null
}

const IRREGULAR: FileFault = {
  code: 'file-unreadable',
  message: 'not a regular file',
  hint: 'replace it with a file, or remove it',
}

const OUTSIDE: FileFault = {
  code: 'file-outside',
  message: 'the link points outside the git working tree',
  hint: 'copy the file here: only files that every checkout of the commit has are read',
}

function stop(walk: Walk, path: string, bound: string): void {
  walk.isFull = true
  addFile(walk, path === '' ? '.' : path, NO_STATS, {
    code: 'directory-unreadable',
    message: `the source has more than ${bound}`,
    hint: 'check for links to folders that contain links, or configure a smaller folder',
  })
}

const TOO_DEEP: FileFault = {
  code: 'directory-unreadable',
  message: `the folder is more than ${MOST_LEVELS} levels below the source`,
  hint: 'move it further up',
}

function* scanBelow(walk: Walk, path: string, stats: Stats, above: readonly string[]): Pieces<void> {
  const self = identity(stats)
  if (above.includes(self)) return
  if (above.length >= MOST_LEVELS) return addFile(walk, path, stats, TOO_DEEP)
  walk.scan.foldersChangedMs = Math.max(walk.scan.foldersChangedMs, stats.ctimeMs)
  let entries: readonly ListedEntry[]
  try {
    entries = listEntries(walk, path, stats)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      addFile(walk, path, stats, {
        code: 'directory-unreadable',
        message: `the folder cannot be listed: ${describeError(error as NodeJS.ErrnoException)}`,
        hint: 'give the user that runs svc read permission',
      })
    return
  }
  yield* scanEntries(walk, path, [...above, self], entries)
}

/** Skips a file removed meanwhile; reports a dangling link and an entry that cannot be inspected. */
function addUnreadable(walk: Walk, path: string, isManifest: boolean, error: NodeJS.ErrnoException): void {
  if (!isManifest && (error.code === 'ENOENT' || error.code === 'ELOOP')) return
  let link: Stats | undefined
  try {
    link = lstatSync(join(walk.scan.root, path), { throwIfNoEntry: false })
  } catch {
    link = undefined
  }
  if (link || error.code !== 'ENOENT')
    addFile(walk, path, link ?? NO_STATS, {
      code: isManifest ? 'file-unreadable' : 'directory-unreadable',
      message:
        error.code === 'ENOENT' ? 'the link target does not exist' : `the file cannot be read: ${describeError(error)}`,
      hint: 'restore the file, or remove it',
    })
}

function addFile(walk: Walk, path: string, stats: StatFields, fault: FileFault | null): void {
  walk.scan.files.push(fingerprint(path, stats, fault))
}

export function describeError(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied'
    case 'ENAMETOOLONG':
      return 'its path is too long'
    case 'ELOOP':
      return 'its links form a loop'
    default:
      return error.code ?? error.message
  }
}

export function isSameScan(a: FolderScan, b: FolderScan): boolean {
  return a.files.length === b.files.length && a.files.every((file, index) => isSameFile(file, b.files[index]!))
}
