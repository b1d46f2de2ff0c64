// Keeping the work of a worktree that is to go: what is not committed, and commits that no other branch has.
import { join } from 'node:path'
import type { Answer, Repository } from './git.ts'

/** Refs that nobody deletes but a person. */
const PRESERVED = 'refs/svc/preserved'
const IDENTITY = ['-c', 'user.name=svc', '-c', 'user.email=svc@localhost']

/** The ref that all of it is reached from, or why it could not be kept: then the worktree must stay. */
export type Preserved = { ref: string } | { reason: string }

interface Tree {
  top: string
  gitDir: string
}

/**
 * Commits the files as they are, all that is not ignored, on top of HEAD, and points a ref of that name (`worker-1f3c`)
 * at it. The worktree, its index and its branch stay as they are.
 */
export async function preserve(repository: Repository, tree: Tree, name: string): Promise<Preserved> {
  const own = { ...tree, index: join(tree.gitDir, 'svc-preserved-index') }
  const commit = await snapshot((...args) => repository.gitIn(own, ...args))
  if (typeof commit !== 'string') return commit
  const ref = `${PRESERVED}/${name}`
  // One of that name holds other work.
  const taken = !(await repository.git('show-ref', '--verify', '--quiet', ref)).failed
  const free = taken ? `${ref}-${commit.slice(0, 12)}` : ref
  const made = await repository.git('update-ref', free, commit)
  return made.failed ? { reason: `git cannot keep its work: ${made.stderr}` } : { ref: free }
}

async function snapshot(git: (...args: string[]) => Promise<Answer>): Promise<string | { reason: string }> {
  const cannot = ({ stderr }: Answer) => ({ reason: `git cannot keep its work: ${stderr}` })
  for (const args of [
    ['read-tree', 'HEAD'],
    ['add', '--all'],
  ]) {
    const done = await git(...args)
    if (done.failed) return cannot(done)
  }
  const staged = await git('ls-files', '--stage', '-z')
  if (staged.failed) return cannot(staged)
  // Of a repository within it git would keep a name, and none of its files.
  if (/(^|\0)160000 /.test(staged.stdout)) return { reason: 'it holds another repository, which is not looked into' }
  const files = await git('write-tree')
  if (files.failed) return cannot(files)
  const message = 'Work that was not committed when its agent was removed'
  const commit = await git(...IDENTITY, 'commit-tree', files.stdout, '-p', 'HEAD', '-m', message)
  return commit.failed ? cannot(commit) : commit.stdout
}
