import { access, constants, lstat, mkdir, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Problem, unavailable } from '../../../platform/core/problem.ts'

export const FOLDER_MODE = 0o700

/** Node's recursive mkdir never returns if a parent refuses folders, as /proc does. */
export async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: FOLDER_MODE }).catch(unlessThere)
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await make()
  })
}

export async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await lstat(path)
  return `${dev}:${ino}`
}

/** True also for a link. */
export const isThere = async (path: string): Promise<boolean> => (await lstat(path).catch(unlessMissing)) !== undefined

export const folderGone = (detail: string) => unavailable(`the document folder ${detail}`, 'folder-unavailable')

export async function mustBeFolder(path: string): Promise<void> {
  const stats = await lstat(path)
  if (!stats.isDirectory())
    throw unavailable(
      `${path} is a ${stats.isSymbolicLink() ? 'link' : 'file'}, not a folder: move it elsewhere`,
      'folder-unavailable',
    )
}

/** Ignores the errors of a missing path, a link and an irregular file. */
export function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ELOOP' || error.code === 'ENXIO' || error.code === 'ENOTDIR') return
  throw error
}

export function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

const NEXT: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space, then retry',
  EDQUOT: 'the quota is exceeded: free some space, then retry',
  EROFS: 'it is on a read-only file system: mount it for writing, or use another folder',
  EACCES: 'permission denied: give the user of the daemon read and write access, or use another folder',
  EPERM: 'permission denied: give the user of the daemon read and write access, or use another folder',
  ENOENT: 'part of the path is missing: mount it or restore it',
  ENOTDIR: 'part of the path is not a folder: use another folder',
  EMFILE: 'the daemon has too many open files: retry',
  EIO: 'the disk failed: check it',
}

/** Converts disk errors to a 503 with the folder and the next step. */
export async function asUnavailable<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException
    if (error instanceof Problem || syscall === undefined) throw error
    const next = NEXT[code] ?? 'check it, then retry'
    throw unavailable(
      `the document folder ${folder} cannot be used (${code}): ${next} (DOCSTORE_DOCUMENTS_PATH)`,
      'folder-unavailable',
      error,
    )
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT'])

export const isFull = (error: unknown): boolean => FULL.has((error as NodeJS.ErrnoException).code ?? '')

/** Throws like a write if `folder` is read-only or not accessible. */
export const mustBeOpen = (folder: string): Promise<void> =>
  access(folder, constants.R_OK | constants.W_OK | constants.X_OK)

/** Throws like a write if the disk is full. Writes nothing. */
export async function mustHaveRoom(folder: string): Promise<void> {
  const { bavail, bfree, blocks, files, ffree } = await statfs(folder)
  const free = process.getuid?.() === 0 ? bfree : bavail
  // A total of 0 means no limit.
  if ((blocks > 0 && free === 0) || (files > 0 && ffree === 0))
    throw Object.assign(new Error(`no space left in ${folder}`), { code: 'ENOSPC', syscall: 'statfs' })
}
