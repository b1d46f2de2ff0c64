import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'

/** Top of the git working tree around `folder`; null if there is none. */
export function gitTop(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return null
  }
}

/** Path of git's index lock; null if no lock exists. */
export function gitLock(folder: string): string | null {
  const top = gitTop(folder)
  if (top === null) return null
  try {
    const lock = join(gitFolder(top), 'index.lock')
    return existsSync(lock) ? lock : null
  } catch {
    return null
  }
}

/** In worktrees and submodules, `.git` is a file with the path of the folder. */
function gitFolder(top: string): string {
  const git = join(top, '.git')
  if (statSync(git).isDirectory()) return git
  const named = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))
  return named ? resolve(top, named[1]!.trim()) : git
}

/**
 * True if the link leaves the git working tree of `root` or points into `.git`: a checkout must not expose other files
 * of this machine. False outside a working tree.
 */
export function leavesWorktree(root: string, path: string): boolean {
  const top = gitTop(realpathSync(root))
  if (top === null) return false
  const target = realpathSync(join(root, path))
  return !isWithin(target, top) || isWithin(target, join(top, '.git'))
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
