// The git working tree around a folder, and whether git is changing it right now.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * The top of the git working tree that holds `folder`, or null. A worktree and a submodule have a file in place of
 * `.git/`.
 */
export function gitTop(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return null
  }
}

/** Path of the lock that git holds on the index of the working tree around `folder`, or null. */
export function gitLock(folder: string): string | null {
  const top = gitTop(folder)
  if (top === null) return null
  try {
    const lock = join(gitFolder(top), 'index.lock')
    return existsSync(lock) ? lock : null
  } catch {
    return null // what is called .git is none
  }
}

/** In a worktree and in a submodule, `.git` is a file that names the folder. */
function gitFolder(top: string): string {
  const git = join(top, '.git')
  if (statSync(git).isDirectory()) return git
  const named = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))
  return named ? resolve(top, named[1]!.trim()) : git
}
