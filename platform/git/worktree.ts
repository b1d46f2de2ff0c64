import { basename, dirname, join } from 'node:path'
import { asGitUser, findRepository, Repository, type GitUser } from './git.ts'
import { unsavedWork } from './mirror-clone.ts'
import { preserve } from './worktree-backup.ts'
import { unprocessable } from '../core/problem.ts'

export interface Worktree {
  path: string
  branch: string
  /** Path of the original `directory` inside the worktree. */
  directory: string
}

export interface Removal {
  removed: boolean
  /** Why it was kept; null if it was removed or did not exist. */
  reason: string | null
  /** Ref of the preserved work; null if everything was committed. */
  preserved: string | null
}

/** Branches with this prefix are deleted with their worktree. */
const OWN_BRANCHES = 'svc/'

export async function repositoryOf(directory: string, user: GitUser): Promise<string | null> {
  return (await findRepository(directory, user))?.top ?? null
}

export interface WantedWorktree {
  directory: string
  path: string
  branch: string
  fallbackBranch: string
  user: GitUser
}

/**
 * Creates the worktree and its branch, or uses an existing worktree. If the branch is checked out elsewhere, uses
 * `fallbackBranch`. Throws 422 outside a repository.
 */
export async function addWorktree(wanted: WantedWorktree): Promise<Worktree> {
  const { directory, path, user } = wanted
  const repository = await Repository.open(directory, user)
  if (repository === null)
    throw unprocessable(
      `${directory} is not in a git repository, so it can have no worktree: remove "worktree", or use a folder of a repository`,
      'not-a-repository',
    )
  try {
    const inside = join(path, repository.place.below)
    const present = await gitFolderOf(path, user)
    const branch = present
      ? await branchOf(repository, { top: path, gitDir: present })
      : await checkOut(repository, wanted)
    return { path, branch, directory: inside }
  } finally {
    await repository.close()
  }
}

async function checkOut(
  repository: Repository,
  { path, branch, fallbackBranch, user }: WantedWorktree,
): Promise<string> {
  await asGitUser(user, 'mkdir', '-p', '--', dirname(path))
  await repository.git('worktree', 'prune')
  let reason = ''
  for (const name of [branch, fallbackBranch]) {
    const exists = !(await repository.git('show-ref', '--verify', '--quiet', `refs/heads/${name}`)).failed
    const how = exists ? ['--', path, name] : ['-b', name, '--', path, 'HEAD']
    const added = await repository.git('worktree', 'add', '--no-checkout', ...how)
    reason = added.failed ? added.stderr : await fillWorktree(repository, path, user)
    if (reason === '') return name
  }
  throw unprocessable(`git could not create a worktree of ${repository.place.top} at ${path}: ${reason}`)
}

/**
 * Links the worktree to the real repository instead of the shadow folder. Returns an error text, or an empty string.
 */
async function fillWorktree(repository: Repository, path: string, user: GitUser): Promise<string> {
  const link = await gitFolderOf(path, user)
  if (link === null) return 'it has no .git'
  const gitDir = join(repository.place.commonDir, 'worktrees', basename(link))
  const script = 'printf "gitdir: %s\\n" "$1" > "$2"'
  await asGitUser(user, 'sh', '-c', script, 'sh', gitDir, join(path, '.git'))
  const filled = await repository.gitIn({ top: path, gitDir }, 'reset', '--hard', '--quiet', '--no-recurse-submodules')
  return filled.failed ? filled.stderr : ''
}

async function gitFolderOf(path: string, user: GitUser): Promise<string | null> {
  const { stdout, failed } = await asGitUser(user, 'head', '-c', '4096', '--', join(path, '.git'))
  return failed ? null : (/^gitdir: (.+)$/m.exec(stdout)?.[1]?.trim() ?? null)
}

async function branchOf(repository: Repository, tree: { top: string; gitDir: string }): Promise<string> {
  const branch = await repository.gitIn(tree, 'symbolic-ref', '-q', '--short', 'HEAD')
  return branch.failed ? 'HEAD' : branch.stdout
}

/**
 * Removes a worktree. Preserves uncommitted files and unmerged commits under a ref; if that fails, keeps the worktree.
 */
export async function removeWorktree(path: string, user: GitUser): Promise<Removal> {
  if ((await asGitUser(user, 'test', '-e', path)).failed) return { removed: true, reason: null, preserved: null }
  const repository = await Repository.open(path, user)
  if (repository === null) return kept('git cannot read it: it is not a working tree of a repository')
  try {
    return await removeSaved(repository, path, user)
  } finally {
    await repository.close()
  }
}

const kept = (reason: string): Removal => ({ removed: false, reason, preserved: null })

async function removeSaved(repository: Repository, path: string, user: GitUser): Promise<Removal> {
  const { gitDir, commonDir } = repository.place
  const tree = { top: path, gitDir }
  // An agent could have rewritten .git: require a repository that lists this worktree.
  const known = await asGitUser(user, 'head', '-c', '4096', '--', join(gitDir, 'gitdir'))
  const own = join(await realPath(path, user), '.git')
  if (gitDir === own && commonDir === own) return removeClone(repository, path, user)
  if (dirname(gitDir) !== join(commonDir, 'worktrees') || known.stdout !== own)
    return kept('its .git points to a repository that does not list it')
  // git would use the submodules' own configuration.
  const modules = await repository.gitIn(tree, 'ls-files', '--stage', '-z')
  if (/(^|\0)160000 /.test(modules.stdout)) return kept('it contains submodules, which are not checked')
  const asked = ['status', '--porcelain', '--untracked-files=all', '--ignore-submodules=all']
  const status = await repository.gitIn(tree, ...asked)
  if (modules.failed || status.failed) return kept(`git cannot read it: ${modules.stderr || status.stderr}`)
  const branch = await branchOf(repository, tree)
  const others = ['--not', `--exclude=${branch}`, '--branches', '--remotes', '--tags']
  const unmerged = await repository.gitIn(tree, 'rev-list', '--count', 'HEAD', ...others)
  if (unmerged.failed) return kept(`git cannot compare its commits: ${unmerged.stderr}`)
  const unsaved = status.stdout !== '' || unmerged.stdout !== '0'
  const preserved = unsaved ? await preserve(repository, tree, basename(path)) : null
  if (preserved && 'reason' in preserved) return kept(preserved.reason)
  const removed = await asGitUser(user, 'rm', '-rf', '--', path, gitDir)
  if (removed.failed) return kept(removed.stderr)
  if (branch.startsWith(OWN_BRANCHES)) await repository.git('update-ref', '-d', `refs/heads/${branch}`)
  return { removed: true, reason: null, preserved: preserved?.ref ?? null }
}

/** No other repository could preserve its work. */
async function removeClone(repository: Repository, path: string, user: GitUser): Promise<Removal> {
  const unsaved = await unsavedWork(repository, path)
  if (unsaved !== null) return kept(unsaved)
  const removed = await asGitUser(user, 'rm', '-rf', '--', path)
  return removed.failed ? kept(removed.stderr) : { removed: true, reason: null, preserved: null }
}

async function realPath(path: string, user: GitUser): Promise<string> {
  return (await asGitUser(user, 'realpath', '--', path)).stdout
}

export function plainName(name: string): string {
  const plain = name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+|[.-]+$|\.lock$/g, '')
  return plain.slice(0, 100) || 'agent'
}
