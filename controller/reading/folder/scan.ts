// A look at a folder: which manifest files there are, and by what one would notice that any of them has changed.
import { lstatSync, readdirSync, statSync, type Dirent, type Stats } from 'node:fs'
import { join } from 'node:path'
import { atOnce, type Pieces } from '../../../platform/async/pieces.ts'
import type { FileFault } from '../yaml/decode.ts'
import { leadsOut } from './links.ts'

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

export interface Scan {
  files: SeenFile[]
  /** When the last of the folders changed, in milliseconds since 1970. */
  foldersChangedMs: number
}

const MANIFEST = /\.ya?ml$/i

/** By its name; other files beside the manifests are texts that they may name. */
export const isManifest = (path: string): boolean => MANIFEST.test(path)

/** Folders below one another, deeper than any tree of manifests; a link that leads back ends earlier. */
const MOST_LEVELS = 64
/** What is looked at: manifests, folders and links; and links to folders, for a few in one another unfold without end. */
const BOUNDS = { entries: 200_000, folderLinks: 10_000 }

/**
 * Lists `root`, links followed; dotfiles and node_modules are left out.
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
 * sorting is half as dear as the look itself.
 */
export function* scanned(root: string, bounds = BOUNDS): Pieces<Scan> {
  const walk: Walk = { root, bounds, files: [], foldersChangedMs: 0, entries: 0, folderLinks: 0, isFull: false }
  yield* listFolder(walk, '', [identity(statSync(root))], readdirSync(root, { withFileTypes: true }))
  walk.foldersChangedMs = Math.max(walk.foldersChangedMs, statSync(root).ctimeMs)
  return walk
}

interface Walk extends Scan {
  root: string
  bounds: typeof BOUNDS
  /** How many were looked at. */
  entries: number
  folderLinks: number
  /** Past a bound: the rest is not looked at. */
  isFull: boolean
}

function identity(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`
}

function* listFolder(walk: Walk, folder: string, above: readonly string[], entries: readonly Dirent[]): Pieces<void> {
  for (const entry of entries) {
    if (walk.isFull) return
    const { name } = entry
    if (name.startsWith('.') || name === 'node_modules') continue
    const isManifest = MANIFEST.test(name)
    if (!isManifest && !entry.isDirectory() && !entry.isSymbolicLink()) continue
    if (++walk.entries > walk.bounds.entries)
      return full(walk, folder, `${walk.bounds.entries} manifests, folders and links`)
    const path = folder === '' ? name : `${folder}/${name}`
    const below = look(walk, path, { isManifest, isLink: entry.isSymbolicLink() }, above)
    if (below) yield* below
    yield
  }
}

/** Returns what is left to do of a folder. */
function look(
  walk: Walk,
  path: string,
  { isManifest, isLink }: { isManifest: boolean; isLink: boolean },
  above: readonly string[],
): Pieces<void> | null {
  try {
    const stats = statSync(`${walk.root}/${path}`)
    const counts = isManifest || stats.isDirectory()
    if (counts && isLink && leadsOut(walk.root, path)) see(walk, path, stats, OUTSIDE)
    else if (stats.isDirectory() && isLink && ++walk.folderLinks > walk.bounds.folderLinks)
      full(walk, path, `${walk.bounds.folderLinks} links to folders`)
    else if (stats.isDirectory()) return descend(walk, path, stats, above)
    else if (isManifest)
      see(
        walk,
        path,
        stats,
        stats.isFile()
          ? null
          : {
              code: 'file-unreadable',
              message: 'this is no regular file',
              hint: 'put a file in its place, or remove it',
            },
      )
  } catch (error) {
    unseen(walk, path, isManifest, error as NodeJS.ErrnoException)
  }
  return null
}

const OUTSIDE: FileFault = {
  code: 'file-outside',
  message: 'this link leads out of the git working tree',
  hint: 'put the file itself here: what another checkout of the same commit does not have is not read',
}

const NOTHING: Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'> = {
  dev: 0,
  ino: 0,
  size: 0,
  mtimeMs: 0,
  ctimeMs: 0,
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
  walk.foldersChangedMs = Math.max(walk.foldersChangedMs, stats.ctimeMs)
  let entries: Dirent[]
  try {
    entries = readdirSync(join(walk.root, path), { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      see(walk, path, stats, {
        code: 'directory-unreadable',
        message: `the folder cannot be listed: ${reason(error as NodeJS.ErrnoException)}`,
        hint: 'let the user svc runs as read it',
      })
    return
  }
  yield* listFolder(walk, path, [...above, self], entries)
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

function see(
  walk: Walk,
  path: string,
  { dev, ino, size, mtimeMs, ctimeMs }: typeof NOTHING,
  fault: FileFault | null,
): void {
  walk.files.push({ path, dev, ino, size, mtimeMs, ctimeMs, fault })
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

export function sameFile(a: SeenFile, b: SeenFile): boolean {
  return (
    a.path === b.path &&
    a.ino === b.ino &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.size === b.size &&
    a.dev === b.dev &&
    a.fault?.message === b.fault?.message
  )
}

export function sameScan(a: Scan, b: Scan): boolean {
  return a.files.length === b.files.length && a.files.every((file, index) => sameFile(file, b.files[index]!))
}
