import { join } from 'node:path'
import type { Answer, Repository } from './git.ts'

/** Only people delete these refs. */
const PRESERVED = 'refs/svc/preserved'
const IDENTITY = ['-c', 'user.name=svc', '-c', 'user.email=svc@localhost']

/** If it has a `reason`, the worktree must be kept. */
export type Preserved = { ref: string } | { reason: string }

interface Tree {
  top: string
  gitDir: string
}

/**
 * Commits all files that are not ignored on top of HEAD, under a new ref. Leaves the worktree, index and branch
 * unchanged.
 */
export async function preserve(repository: Repository, tree: Tree, name: string): Promise<Preserved> {
  const own = { ...tree, index: join(tree.gitDir, 'svc-preserved-index') }
  const commit = await snapshot((...args) => repository.gitIn(own, ...args))
  if (typeof commit !== 'string') return commit
  const ref = `${PRESERVED}/${name}`
  const taken = !(await repository.git('show-ref', '--verify', '--quiet', ref)).failed
  const free = taken ? `${ref}-${commit.slice(0, 12)}` : ref
  const made = await repository.git('update-ref', free, commit)
  return made.failed ? { reason: `git cannot preserve its work: ${made.stderr}` } : { ref: free }
}

async function snapshot(git: (...args: string[]) => Promise<Answer>): Promise<string | { reason: string }> {
  const cannot = ({ stderr }: Answer) => ({ reason: `git cannot preserve its work: ${stderr}` })
  for (const args of [
    ['read-tree', 'HEAD'],
    ['add', '--all'],
  ]) {
    const done = await git(...args)
    if (done.failed) return cannot(done)
  }
  const staged = await git('ls-files', '--stage', '-z')
  if (staged.failed) return cannot(staged)
  // git would store a nested repository as a link without files.
  if (/(^|\0)160000 /.test(staged.stdout))
    return { reason: 'it contains another repository, which cannot be preserved' }
  const files = await git('write-tree')
  if (files.failed) return cannot(files)
  const message = 'Uncommitted work of a removed agent'
  const commit = await git(...IDENTITY, 'commit-tree', files.stdout, '-p', 'HEAD', '-m', message)
  return commit.failed ? cannot(commit) : commit.stdout
}
