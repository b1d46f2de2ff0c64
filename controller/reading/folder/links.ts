// Where links below a folder may lead: a checkout comes from elsewhere, and is not to show other files of this machine.
import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { gitTop } from './git.ts'

/**
 * Whether the link at `path` leads out of the git working tree that holds `root`, or into what git keeps there. What
 * is no checkout was put together by whoever runs this machine, and its links lead where they may.
 */
export function leadsOut(root: string, path: string): boolean {
  const top = gitTop(realpathSync(root))
  if (top === null) return false
  const target = realpathSync(join(root, path))
  return !isWithin(target, top) || isWithin(target, join(top, '.git'))
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
