// Checks out commits into a fixed folder for programs. Manifests are never read from it.
import { mkdir, rm } from 'node:fs/promises'
import type { Mirror } from './mirror.ts'

const CHECKOUT_MS = 600_000

export interface CheckoutOptions {
  mirror: Mirror
  /** Absolute path of the files. */
  folder: string
  /** Absolute path of the git index. */
  index: string
}

const HELD = 'checkout'

/**
 * Updates the folder to `commit`. Keeps local changes; on a conflict, changes nothing. Returns the reason of a
 * failure, or null.
 */
export async function checkOut({ mirror, folder, index }: CheckoutOptions, commit: string): Promise<string | null> {
  const held = await mirror.kept(HELD)
  if (held === commit) return null
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Left by a killed git.
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

/** Lists local changes, except ignored files; null if unknown. */
export async function changedIn({ mirror, folder, index }: CheckoutOptions): Promise<string[] | null> {
  const variables = { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index }
  const asked = ['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard']
  const { stdout, failed } = await mirror.git(['-C', folder, ...asked], { variables })
  return failed ? null : [...new Set(stdout.toString('utf8').split('\0').filter(Boolean))]
}
