// Work of an agent apart from the checkout of its source: a clone of the checked out commit. It is no linked worktree,
// because the agent could then write the refs of the mirror, which desired state is read from.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unprocessable } from '../core/problem.ts'
import { CHECKED_OUT } from './checkout.ts'
import { environment, gitBytes, type GitUser, type Repository } from './git.ts'
import { objectFormat } from './refs.ts'
import type { CheckoutPlace } from './source-folders.ts'

export interface WantedClone {
  checkout: CheckoutPlace
  path: string
  branch: string
  user: GitUser
}

/** Ref of the commit on which the branch starts. */
const BASE = 'refs/svc/base'

/** Creates the clone on a new branch, or uses an existing one. Returns the working directory. Throws 422. */
export async function addMirrorClone({ checkout, path, branch, user }: WantedClone): Promise<string> {
  if (!existsSync(join(path, '.git'))) {
    const fresh = `${path}.new`
    await rm(fresh, { recursive: true, force: true })
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await fillClone(fresh, { mirror: checkout.mirror, branch, user })
    await rename(fresh, path)
  }
  return join(path, checkout.below)
}

async function fillClone(
  path: string,
  { mirror, branch, user }: { mirror: string; branch: string; user: GitUser },
): Promise<void> {
  const variables = { ...environment(user), GIT_ALLOW_PROTOCOL: 'file' }
  const git = async (...args: string[]) => {
    const { stdout, failed, said } = await gitBytes(variables, args)
    if (failed) throw unprocessable(`git could not create a clone of ${mirror} at ${path}: ${said.trim()}`)
    return stdout.toString('utf8').trim()
  }
  const commit = await git('-C', mirror, 'rev-parse', '--verify', CHECKED_OUT)
  const url = await git('-C', mirror, 'config', 'remote.origin.url')
  const format = `--object-format=${objectFormat(commit)}`
  await git('init', '--quiet', '--template=', format, `--initial-branch=${branch}`, '--', path)
  await git('-C', path, 'fetch', '--quiet', '--no-tags', '--depth=1', '--', mirror, `+${commit}:${BASE}`)
  await git('-C', path, 'remote', 'add', '--', 'origin', url)
  await git('-C', path, 'reset', '--hard', '--quiet', commit)
}

/** Returns why the clone must be kept; null if everything in it is in the repository of its source. */
export async function unsavedWork(repository: Repository, path: string): Promise<string | null> {
  const tree = { top: path, gitDir: repository.place.gitDir }
  const asked = ['status', '--porcelain', '--untracked-files=all', '--ignore-submodules=all']
  const status = await repository.gitIn(tree, ...asked)
  const own = await repository.gitIn(tree, 'rev-list', '--count', 'HEAD', '--all', '--not', BASE, '--remotes')
  if (status.failed || own.failed) return `git cannot read it: ${status.stderr || own.stderr}`
  if (status.stdout !== '') return 'it has files that are not committed'
  return own.stdout === '0' ? null : 'it has commits that are not pushed'
}
