import { statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Returns true for a repository without a checkout, such as `team.git`; also for the `.git` of a checkout. */
export function isBareRepository(folder: string): boolean {
  try {
    const [head, objects, refs] = ['HEAD', 'objects', 'refs'].map((name) => statSync(join(folder, name)))
    return head!.isFile() && objects!.isDirectory() && refs!.isDirectory()
  } catch {
    return false
  }
}

export const fileAddress = (repository: string): string => `git+${pathToFileURL(repository).href}`
