// What a disk refuses, as an answer: where, why, and what to do about it.
import { access, constants, statfs } from 'node:fs/promises'
import { Problem, unavailable } from '../../../platform/core/problem.ts'

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
      error,
      'folder-unavailable',
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
