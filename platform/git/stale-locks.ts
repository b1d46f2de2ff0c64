import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes locks and partial packs of a killed git. Call only while no git runs in this bare repository. */
export async function removeStaleFiles(repository: string): Promise<void> {
  const [top, refs, packs] = await Promise.all([
    names(repository, false),
    names(join(repository, 'refs'), true),
    names(join(repository, 'objects', 'pack'), false),
  ])
  const left = [
    ...[...top, ...refs].filter((name) => name.endsWith('.lock')),
    ...packs.filter((name) => /\/(tmp_|\.tmp-)/.test(name)),
  ]
  await Promise.all(left.map((name) => rm(name, { force: true })))
}

async function names(folder: string, recursive: boolean): Promise<string[]> {
  const entries = await readdir(folder, { recursive, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
