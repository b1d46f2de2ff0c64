// Whether git is changing a working tree right now.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gitTop } from './world.ts'

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
