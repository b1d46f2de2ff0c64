// File system calls for the document folder, and the errors that its disk returns.
import { access, constants, lstat, mkdir, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Problem, unavailable } from '../../../platform/core/problem.ts'

export const FOLDER_MODE = 0o700

/** Node's own way to make a path goes round in circles where a parent takes no folders, as /proc does. */
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

/** Whether there is anything of this name, be it a link. */
export const isThere = async (path: string): Promise<boolean> => (await lstat(path).catch(unlessMissing)) !== undefined

export const folderGone = (detail: string) => unavailable(`the folder of the documents ${detail}`, 'folder-unavailable')

export async function mustBeFolder(path: string): Promise<void> {
  const stats = await lstat(path)
  if (!stats.isDirectory())
    throw unavailable(
      `${path} is no folder, but a ${stats.isSymbolicLink() ? 'link' : 'file'}: move it away`,
      'folder-unavailable',
    )
}

/** Nothing there, a link, or something that is no file: none of ours. */
export function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ELOOP' || error.code === 'ENXIO' || error.code === 'ENOTDIR') return
  throw error
}

export function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

const NEXT: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space, then try again',
  EDQUOT: 'the quota is used up: free some space, then try again',
  EROFS: 'it is on a file system that is read-only: mount it for writing, or name another folder',
  EACCES: 'the daemon may not: let its user read and write it, or name another folder',
  EPERM: 'the daemon may not: let its user read and write it, or name another folder',
  ENOENT: 'a part of it is gone: mount it or put it back',
  ENOTDIR: 'a part of its path is no folder: name another folder',
  EMFILE: 'the daemon has as many files open as it may: try again',
  EIO: 'the disk does not work: look at it',
}

/** Runs `work`; what the disk refuses is a 503 that names the folder and the next step. */
export async function asUnavailable<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException
    if (error instanceof Problem || syscall === undefined) throw error
    const next = NEXT[code] ?? 'look at it, then try again'
    throw unavailable(
      `the folder of the documents ${folder} refuses (${code}): ${next} (DOCSTORE_DOCUMENTS_PATH)`,
      'folder-unavailable',
      error,
    )
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT'])

/** There is no room for what was to be written. */
export const isFull = (error: unknown): boolean => FULL.has((error as NodeJS.ErrnoException).code ?? '')

/** Throws, as a write would, where `folder` is read-only or closed to the daemon. */
export const mustBeOpen = (folder: string): Promise<void> =>
  access(folder, constants.R_OK | constants.W_OK | constants.X_OK)

/** Throws, as a write would, where the disk of `folder` has no room. Writes nothing. */
export async function mustHaveRoom(folder: string): Promise<void> {
  const { bavail, bfree, blocks, files, ffree } = await statfs(folder)
  const free = process.getuid?.() === 0 ? bfree : bavail
  // A file system that counts none has no bound.
  if ((blocks > 0 && free === 0) || (files > 0 && ffree === 0))
    throw Object.assign(new Error(`no space left in ${folder}`), { code: 'ENOSPC', syscall: 'statfs' })
}
