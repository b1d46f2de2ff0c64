// The git working tree around a folder: its top, its lock, and the links that leave it.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'

/**
 * Returns the top of the git working tree that holds `folder`, or null. In a worktree and a submodule, `.git` is a
 * file.
 */
export function gitTop(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return null
  }
}

/** Returns the path of the lock that git holds on the index of the working tree around `folder`, or null. */
export function gitLock(folder: string): string | null {
  const top = gitTop(folder)
  if (top === null) return null
  try {
    const lock = join(gitFolder(top), 'index.lock')
    return existsSync(lock) ? lock : null
  } catch {
    return null // `.git` is no git folder
  }
}

/** In a worktree and in a submodule, `.git` is a file with the path of the folder. */
function gitFolder(top: string): string {
  const git = join(top, '.git')
  if (statSync(git).isDirectory()) return git
  const named = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))
  return named ? resolve(top, named[1]!.trim()) : git
}

/**
 * Whether the link at `path` leads out of the git working tree that holds `root`, or into its `.git`. A checkout comes
 * from elsewhere and must not expose other files of this machine. False where `root` is in no working tree.
 */
export function leavesWorktree(root: string, path: string): boolean {
  const top = gitTop(realpathSync(root))
  if (top === null) return false
  const target = realpathSync(join(root, path))
  return !isWithin(target, top) || isWithin(target, join(top, '.git'))
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
