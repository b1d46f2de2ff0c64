// What is at a path: a folder, nothing, or something in its way.
import { lstat, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { unavailable } from '../../../platform/core/problem.ts'

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

export const isThere = async (path: string): Promise<boolean> => (await lstat(path).catch(unlessMissing)) !== undefined

export const gone = (detail: string) =>
  unavailable(`the folder of the documents ${detail}`, undefined, 'folder-unavailable')

export async function mustBeFolder(path: string): Promise<void> {
  const stats = await lstat(path)
  if (!stats.isDirectory())
    throw unavailable(
      `${path} is no folder, but a ${stats.isSymbolicLink() ? 'link' : 'file'}: move it away`,
      undefined,
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
