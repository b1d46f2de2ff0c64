// Rewrites and deletes branches of the remote. Each push has a lease on the head that a run has read, so a branch that
// has moved since is not changed.
import type { BranchClone } from '../../../platform/git/branch-clone.ts'
import { RemoteError } from '../../../platform/git/mirror.ts'
import { objectFormat } from '../../../platform/git/refs.ts'
import {
  CloneError,
  type BranchUpdate,
  type Rebased,
  type RewriteRepository,
} from '../../../platform/git/rewrite-repository.ts'
import type { Deletion, Restack, RestackReply, StackedBranch } from '../git.ts'

type Heads = Map<number, string>

/** The last defence against a decision that takes a trunk for a branch of a stack. */
function refuseTrunks(names: readonly string[], trunks: readonly string[]): void {
  const trunk = names.find((name) => trunks.includes(name))
  if (trunk === undefined) return
  throw new RemoteError(`branch ${trunk} is never rewritten or deleted: it is main or the pipeline base`)
}

/** Throws RemoteError. */
export async function restackBranches(
  clone: BranchClone,
  restack: Restack,
  signal: AbortSignal,
): Promise<RestackReply> {
  const { onto, merged, branches, trunks } = restack
  const names = branches.map(({ branch }) => branch)
  refuseTrunks(names, trunks)
  const format = objectFormat(merged.head)
  return clone.renewing(async (isNew) => {
    // Names are used only if the remote has these branches.
    const heads = await clone.heads([onto, ...names], signal)
    const moved = branches.find(({ branch, head }) => heads.get(branch) !== head)
    if (moved) return { outcome: 'moved', branch: moved.branch }
    if (!heads.has(onto)) throw new RemoteError(`${clone.url} has no branch ${onto} to rebase onto`)
    const base = await clone.fetch(onto, names, { format, signal })
    for (const { branch, head } of branches) if (!(await clone.has(head))) return { outcome: 'moved', branch }
    await clone.fetchCommit(merged.head, `refs/pull/${merged.number}/head`, signal)
    return clone.rewrite(format, async (repository) => {
      const made: Heads = new Map()
      for (const each of branches) {
        const old = each.parent === null ? merged.head : branches.find(({ number }) => number === each.parent)!.head
        const newBase = each.parent === null ? base : made.get(each.parent)!
        const rebased = await rebaseBranch(repository, { head: each.head, old, onto: newBase, isNew }, signal)
        if ('files' in rebased) return { outcome: 'conflict', number: each.number, files: rebased.files }
        made.set(each.number, rebased.commit)
      }
      return pushHeads({ clone, repository }, { branches, made }, signal)
    })
  }, signal)
}

interface Workspace {
  clone: BranchClone
  repository: RewriteRepository
}

interface Move {
  head: string
  /** Head of the branch below, before it was merged or moved. */
  old: string
  onto: string
  /** The clone is new. */
  isNew: boolean
}

async function rebaseBranch(
  repository: RewriteRepository,
  { head, old, onto, isNew }: Move,
  signal: AbortSignal,
): Promise<Rebased> {
  const oldBase = await repository.mergeBase(old, head)
  // Unrelated histories: only a person can tell what belongs to the branch.
  if (oldBase === null) return { files: [] }
  if (await repository.contains(onto, oldBase)) return { commit: head }
  try {
    return await repository.rebase({ head, oldBase, onto }, signal)
  } catch (error) {
    // In a new clone the commits are at fault, such as one without an author: a person has to rebase them.
    if (isNew && error instanceof CloneError) return { files: [] }
    throw error
  }
}

async function pushHeads(
  { clone, repository }: Workspace,
  { branches, made }: { branches: readonly StackedBranch[]; made: Heads },
  signal: AbortSignal,
): Promise<RestackReply> {
  const updates = branches
    .map(({ number, branch, head }) => ({ branch, from: head, to: made.get(number)! }))
    .filter(({ from, to }) => from !== to)
  if (updates.length === 0) return { outcome: 'unchanged', heads: made }
  const moved = await push({ clone, repository }, updates, signal)
  return moved === null ? { outcome: 'done', heads: made } : { outcome: 'moved', branch: moved }
}

/** Returns the branch whose lease failed; null if all were pushed. Throws RemoteError if the remote refuses. */
async function push({ clone, repository }: Workspace, updates: readonly BranchUpdate[], signal: AbortSignal) {
  try {
    await repository.push(updates, signal)
    return null
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    const names = updates.map(({ branch }) => branch)
    const heads = await clone.heads(names, signal)
    const now = (branch: string) => heads.get(branch) ?? null
    // The answer may have been lost after the push.
    if (updates.every(({ branch, to }) => now(branch) === to)) return null
    const moved = updates.find(({ branch, from }) => now(branch) !== from)
    if (moved) return moved.branch
    throw error
  }
}

/** Throws RemoteError. */
export async function deleteBranch(
  clone: BranchClone,
  { branch, head, trunks }: Deletion,
  signal: AbortSignal,
): Promise<'done' | 'unchanged' | 'moved'> {
  refuseTrunks([branch], trunks)
  return clone.renewing(async () => {
    const present = (await clone.heads([branch], signal)).get(branch)
    if (present === undefined) return 'unchanged'
    if (present !== head) return 'moved'
    return clone.rewrite(objectFormat(head), async (repository) => {
      const moved = await push({ clone, repository }, [{ branch, from: head, to: null }], signal)
      return moved === null ? 'done' : 'moved'
    })
  }, signal)
}
