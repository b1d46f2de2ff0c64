// A look at a folder: which manifest files there are, and by what one would notice that any of them has changed.
import { lstatSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { atOnce, type Pieces } from '../../../platform/async/time-slices.ts'
import { systemClock } from '../../../platform/core/clock.ts'
import type { FileFault } from '../yaml/text-decoding.ts'
import { leadsOut } from './links.ts'
import { Listings, type Listed } from './listings.ts'
import { isAsSeen, NOTHING, sameFile, seenFile, type SeenFile, type Times } from './seen-file.ts'

export interface Scan {
  files: SeenFile[]
  /** When the last of the folders changed, in milliseconds since 1970. */
  foldersChangedMs: number
}

/** Folders below one another, deeper than any tree of manifests; a link that leads back ends earlier. */
const MOST_LEVELS = 64
/** What is looked at: manifests, folders and links; and links to folders, for a few in one another unfold without end. */
const BOUNDS = { entries: 200_000, folderLinks: 10_000 }

/**
 * Looks at all below `root`, links followed; dotfiles and node_modules are left out.
 * Throws what the file system says when the root itself cannot be listed.
 */
export function scan(root: string): Scan {
  return byPath(atOnce(scanned(root)))
}

/** The same files, sorted by path. */
export function byPath(scan: Scan): Scan {
  return { ...scan, files: [...scan.files].sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

/**
 * The same, in pieces, and in the order in which the file system lists them: it stays while nothing comes or goes, and
 * sorting is half as dear as the look itself. A file that is as it was at the last look with these `listings` is the
 * same object again.
 */
export function* scanned(root: string, { bounds = BOUNDS, listings = new Listings(systemClock) } = {}): Pieces<Scan> {
  const scan: Scan = { files: [], foldersChangedMs: 0 }
  const walk: Walk = { root, bounds, listings, scan, entries: 0, folderLinks: 0, isFull: false }
  const stats = statSync(root)
  yield* lookAtAll(walk, '', [identity(stats)], listings.of(root, '', stats))
  scan.foldersChangedMs = Math.max(scan.foldersChangedMs, statSync(root).ctimeMs)
  listings.end()
  return scan
}

interface Walk {
  root: string
  bounds: typeof BOUNDS
  listings: Listings
  scan: Scan
  /** How many were looked at. */
  entries: number
  folderLinks: number
  /** Past a bound: the rest is not looked at. */
  isFull: boolean
}

function identity(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`
}

function* lookAtAll(walk: Walk, folder: string, above: readonly string[], all: readonly Listed[]): Pieces<void> {
  for (const listed of all) {
    if (walk.isFull) return
    if (++walk.entries > walk.bounds.entries)
      return full(walk, folder, `${walk.bounds.entries} manifests, folders and links`)
    const below = look(walk, listed, above)
    if (below) yield* below
    yield
  }
}

/** Returns what is left to do of a folder. */
function look(walk: Walk, listed: Listed, above: readonly string[]): Pieces<void> | null {
  const { path, isManifest, isLink } = listed
  try {
    const stats = statSync(`${walk.root}/${path}`)
    if (stats.isFile() && isManifest && !isLink) {
      walk.scan.files.push((listed.seen = isAsSeen(listed.seen, stats) ? listed.seen! : seenFile(path, stats, null)))
      return null
    }
    const counts = isManifest || stats.isDirectory()
    if (counts && isLink && leadsOut(walk.root, path)) see(walk, path, stats, OUTSIDE)
    else if (stats.isDirectory() && isLink && ++walk.folderLinks > walk.bounds.folderLinks)
      full(walk, path, `${walk.bounds.folderLinks} links to folders`)
    else if (stats.isDirectory()) return descend(walk, path, stats, above)
    else if (isManifest) see(walk, path, stats, stats.isFile() ? null : IRREGULAR)
  } catch (error) {
    unseen(walk, path, isManifest, error as NodeJS.ErrnoException)
  }
  return null
}

const IRREGULAR: FileFault = {
  code: 'file-unreadable',
  message: 'this is no regular file',
  hint: 'put a file in its place, or remove it',
}

const OUTSIDE: FileFault = {
  code: 'file-outside',
  message: 'this link leads out of the git working tree',
  hint: 'put the file itself here: what another checkout of the same commit does not have is not read',
}

/** Told once, where it was noticed. */
function full(walk: Walk, path: string, bound: string): void {
  walk.isFull = true
  see(walk, path === '' ? '.' : path, NOTHING, {
    code: 'directory-unreadable',
    message: `the source has more than ${bound}`,
    hint: 'look for links that lead to folders of links, or watch a smaller folder',
  })
}

const TOO_DEEP: FileFault = {
  code: 'directory-unreadable',
  message: `the folder is more than ${MOST_LEVELS} levels below the source`,
  hint: 'move it further up',
}

function* descend(walk: Walk, path: string, stats: Stats, above: readonly string[]): Pieces<void> {
  const self = identity(stats)
  if (above.includes(self)) return
  if (above.length >= MOST_LEVELS) return see(walk, path, stats, TOO_DEEP)
  walk.scan.foldersChangedMs = Math.max(walk.scan.foldersChangedMs, stats.ctimeMs)
  let all: readonly Listed[]
  try {
    all = walk.listings.of(walk.root, path, stats)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      see(walk, path, stats, {
        code: 'directory-unreadable',
        message: `the folder cannot be listed: ${reason(error as NodeJS.ErrnoException)}`,
        hint: 'let the user svc runs as read it',
      })
    return
  }
  yield* lookAtAll(walk, path, [...above, self], all)
}

/** What has vanished is not there; a link to nothing is a fault, since something was meant to be. */
function unseen(walk: Walk, path: string, isManifest: boolean, error: NodeJS.ErrnoException): void {
  if (!isManifest && (error.code === 'ENOENT' || error.code === 'ELOOP')) return
  let link: Stats | undefined
  try {
    link = lstatSync(join(walk.root, path), { throwIfNoEntry: false })
  } catch {
    link = undefined
  }
  // What cannot even be asked for is there all the same.
  if (link || error.code !== 'ENOENT')
    see(walk, path, link ?? NOTHING, {
      code: isManifest ? 'file-unreadable' : 'directory-unreadable',
      message: error.code === 'ENOENT' ? 'this link leads to nothing' : `the file cannot be read: ${reason(error)}`,
      hint: 'put back the file it stands for, or remove it',
    })
}

function see(walk: Walk, path: string, stats: Times, fault: FileFault | null): void {
  walk.scan.files.push(seenFile(path, stats, fault))
}

export function reason(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied'
    case 'ENAMETOOLONG':
      return 'its path is too long'
    case 'ELOOP':
      return 'its links lead in a circle'
    default:
      return error.code ?? error.message
  }
}

export function sameScan(a: Scan, b: Scan): boolean {
  return a.files.length === b.files.length && a.files.every((file, index) => sameFile(file, b.files[index]!))
}
