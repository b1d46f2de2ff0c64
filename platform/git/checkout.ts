// The files of a commit on the disk, for those who work with them: one folder that stays the same from commit to
// commit. It is no repository of git, and what is read as desired never comes from it.
import { mkdir, rm } from 'node:fs/promises'
import type { Mirror } from './mirror.ts'

const CHECKOUT_MS = 600_000

export interface CheckoutOptions {
  mirror: Mirror
  /** Absolute; the folder of the files. */
  folder: string
  /** Absolute; what git remembers of them. */
  index: string
}

/** Name under which the commit that the folder holds is kept. */
const HELD = 'checkout'

/**
 * Brings the files of the folder from the commit they are at to another one. What somebody has changed there stays:
 * where the new commit changes the same file, nothing is moved. Returns why not; null when the folder is at the commit.
 */
export async function checkOut({ mirror, folder, index }: CheckoutOptions, commit: string): Promise<string | null> {
  const held = await mirror.kept(HELD)
  if (held === commit) return null
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Of a git that was killed: nobody else works with this index.
  await rm(`${index}.lock`, { force: true })
  const variables = { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index }
  const how = { variables, patienceMs: CHECKOUT_MS }
  await mirror.outward(['update-index', '-q', '--refresh'], how)
  const trees = held === null ? [commit] : [held, commit]
  const moved = await mirror.outward(['read-tree', '-m', '-u', ...trees], how)
  if (moved.failed) return moved.why
  await mirror.keep(HELD, commit)
  return null
}

/**
 * Files that somebody has changed, removed or added there since; what git ignores does not count. Null where that
 * cannot be told.
 */
export async function changedIn({ mirror, folder, index }: CheckoutOptions): Promise<string[] | null> {
  const variables = { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index }
  const asked = ['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard']
  const { stdout, failed } = await mirror.git(['-C', folder, ...asked], { variables })
  return failed ? null : [...new Set(stdout.toString('utf8').split('\0').filter(Boolean))]
}
