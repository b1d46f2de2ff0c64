// Isolated git worktrees, made and removed by the git command line.
import { existsSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { execa } from 'execa'
import { unprocessable } from './problem.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Worktree {
  /** Top folder of the worktree. */
  path: string
  branch: string
  /** Where `directory` of the original stands inside the worktree. */
  directory: string
}

export interface Removal {
  removed: boolean
  /** Why it was kept; null when it was removed or gone already. */
  reason: string | null
}

/** The top of the git working tree that holds `directory`, or null when there is none. */
export async function repositoryOf(directory: string, env: Environment): Promise<string | null> {
  const top = await git(directory, ['rev-parse', '--show-toplevel'], env)
  return top.failed ? null : top.stdout
}

/**
 * Makes the worktree at `path`, or takes the one that stands there. The branch is made from HEAD;
 * one that is checked out elsewhere gets `fallbackBranch` in its place. Throws 422 outside a repository.
 */
export async function addWorktree(wanted: {
  directory: string
  path: string
  branch: string
  fallbackBranch: string
  env: Environment
}): Promise<Worktree> {
  const { directory, path, env } = wanted
  const top = await repositoryOf(directory, env)
  if (top === null)
    throw unprocessable(
      `${directory} is not in a git repository, so it can have no worktree: leave "worktree" out, or name a folder of a repository`,
      'not-a-repository',
    )
  const inside = join(path, relative(top, await realpath(directory)))
  if (existsSync(join(path, '.git'))) {
    const current = await git(path, ['rev-parse', '--abbrev-ref', 'HEAD'], env)
    return { path, branch: current.stdout, directory: inside }
  }
  await mkdir(dirname(path), { recursive: true })
  await git(top, ['worktree', 'prune'], env)
  let reason = ''
  for (const branch of [wanted.branch, wanted.fallbackBranch]) {
    const exists = !(await git(top, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], env)).failed
    const added = await git(
      top,
      exists ? ['worktree', 'add', '--', path, branch] : ['worktree', 'add', '-b', branch, '--', path, 'HEAD'],
      env,
    )
    if (!added.failed) return { path, branch, directory: inside }
    reason = added.stderr
  }
  throw unprocessable(`git could not make a worktree of ${top} at ${path}: ${reason}`)
}

/** Removes a clean worktree and its branch; keeps one with uncommitted files, or commits that no other branch has. */
export async function removeWorktree(path: string, env: Environment): Promise<Removal> {
  if (!existsSync(path)) return { removed: true, reason: null }
  const status = await git(path, ['status', '--porcelain', '--untracked-files=all'], env)
  if (status.failed) return { removed: false, reason: `git cannot read it: ${status.stderr}` }
  if (status.stdout !== '')
    return { removed: false, reason: `it has ${status.stdout.split('\n').length} uncommitted files` }
  const branch = (await git(path, ['rev-parse', '--abbrev-ref', 'HEAD'], env)).stdout
  const own = await git(
    path,
    ['rev-list', '--count', 'HEAD', '--not', `--exclude=${branch}`, '--branches', '--remotes', '--tags'],
    env,
  )
  if (own.failed) return { removed: false, reason: `git cannot compare its commits: ${own.stderr}` }
  if (own.stdout !== '0')
    return { removed: false, reason: `branch ${branch} has ${own.stdout} commits that are on no other branch` }
  const common = await git(path, ['rev-parse', '--path-format=absolute', '--git-common-dir'], env)
  const removed = await git(common.stdout, ['worktree', 'remove', '--', path], env)
  if (removed.failed) return { removed: false, reason: removed.stderr }
  if (branch !== 'HEAD') await git(common.stdout, ['branch', '-D', '--', branch], env)
  return { removed: true, reason: null }
}

/** A folder or branch part made of a free-form name. */
export function plainName(name: string): string {
  const plain = name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+|[.-]+$|\.lock$/g, '')
  return plain.slice(0, 100) || 'agent'
}

/** git with no surroundings but home and path: a GIT_DIR of whoever started us must not lead it elsewhere. */
async function git(
  directory: string,
  args: string[],
  env: Environment,
): Promise<{ stdout: string; stderr: string; failed: boolean }> {
  const result = await execa('git', ['-C', directory, ...args], {
    env: { HOME: env.HOME, PATH: env.PATH, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  })
  if (result.code === 'ENOENT')
    throw unprocessable('git is not installed: install it, or leave "worktree" out', 'program-missing')
  return { stdout: (result.stdout ?? '').trim(), stderr: (result.stderr ?? '').trim(), failed: result.failed }
}
