// What a git that was killed has left in a folder that is ours alone: locks that nobody holds, and halves of packs.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Of a bare repository in which no git runs. One that is not there has nothing. */
export async function clearLeftBehind(repository: string): Promise<void> {
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
