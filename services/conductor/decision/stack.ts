// Pull requests on a merged one: they move onto its base, and the ones above follow.
import type { StackedBranch } from '../git.ts'
import type { MergedPullRequest, PullRequest } from '../snapshot/facts.ts'
import { act, addLabel, post } from './actions.ts'
import type { Intent, Step } from './contract.ts'
import { hasLabel } from './labels.ts'
import type { Run } from './run.ts'
import { escalation, reference } from './texts.ts'

type Merged = Pick<MergedPullRequest, 'number' | 'branch' | 'base' | 'head' | 'isFork'>

/**
 * After a merge: moves the dependents and deletes the branch. Announces the merge unless a dependent conflicts;
 * `isConflicted`: one did, before a crash.
 */
export function* finishMerge(
  run: Run,
  step: number,
  merged: MergedPullRequest | PullRequest,
  isConflicted = false,
): Step {
  run.recordMerge(merged)
  for (const { number } of run.pullRequests.filter(({ base }) => base === merged.branch)) {
    const dependent = run.pullRequest(number)
    const below = dependent && run.mergedBelow(dependent)
    if (dependent && below?.number === merged.number) yield* moveDependent(run, step, dependent, below)
  }
  if (mayDelete(run, merged)) {
    const { number, branch, head } = merged
    yield* run.perform(act(step, 'delete-branch', { number, branch, sha: head, trunks: run.trunks }))
  }
  if (run.stopped || isConflicted) return
  const { number, head, base } = merged
  const text = `**Merged** ${reference(run.snapshot.repository, number)} into \`${base}\``
  yield* run.perform(post(run, step, 'merged', { number, sha: head, text }))
}

/** The forge closes pull requests that lose their base or their branch. */
function mayDelete(run: Run, { branch, isFork }: Merged): boolean {
  if (isFork || run.isTrunk(branch)) return false
  return !run.pullRequests.some((open) => open.base === branch || (!open.isFork && open.branch === branch))
}

/** Forks are never written; a branch that conflicted once waits for a person. */
const staysInPlace = (pullRequest: PullRequest): boolean => pullRequest.isFork || hasLabel(pullRequest, 'needs-restack')

/**
 * Restacks and retargets one dependent, except a trunk, which is left to a person. Its new base ends the situation, so
 * it is written last.
 */
export function* moveDependent(run: Run, step: number, dependent: PullRequest, merged: MergedPullRequest): Step {
  const { number, branch, head, isFork } = dependent
  if (run.isTrunkHead(dependent)) return
  const onto = run.baseBelow(merged)
  if (onto === null || (onto === branch && !isFork)) return
  const retarget = act(step, 'retarget', { number, base: onto })
  if (staysInPlace(dependent)) {
    yield* run.perform(retarget)
    return
  }
  const intent: Intent = { kind: 'restack', number, head }
  yield* run.intend({ open: intent })
  const conflicts = yield* restack(run, step, dependent, { merged, onto })
  if (conflicts !== null && (yield* reportConflicts(run, step, conflicts, { dependent, merged, onto })))
    yield* run.perform(retarget)
  yield* run.intend({ close: intent })
}

interface Place {
  merged: MergedPullRequest
  onto: string
}

/** Returns the pull requests that conflict; those below them were moved. Null: nothing was moved, the next run does it. */
function* restack(run: Run, step: number, dependent: PullRequest, { merged, onto }: Place): Step<number[] | null> {
  const { number, branch, head } = dependent
  const conflicts: number[] = []
  let branches = stackOf(run, dependent)
  while (branches.length > 0) {
    const plan = {
      onto,
      merged: { number: merged.number, head: merged.head },
      branches,
      trunks: run.trunks,
    }
    const reply = yield* run.perform(act(step, 'restack', { number, branch, sha: head, onto, restack: plan }))
    if (reply.outcome !== 'failed') break
    if (reply.code !== 'conflict') return null
    const conflict = branches.find((stacked) => stacked.number === reply.number)?.number ?? number
    conflicts.push(conflict)
    branches = below(branches, conflict)
  }
  return conflicts
}

/** False if a report failed, so that the next run must find the conflict again. */
function* reportConflicts(
  run: Run,
  step: number,
  conflicts: readonly number[],
  { dependent, merged, onto }: Place & { dependent: PullRequest },
): Step<boolean> {
  if (conflicts.length > 0 && run.merged.has(merged.number))
    yield* run.intend({ open: { kind: 'merge', number: merged.number, head: merged.head, isConflicted: true } })
  for (const number of conflicts) {
    const isBottom = number === dependent.number
    const reason = `its rebase conflicts after the merge of #${merged.number}`
    const wanted = 'rebase the branch by hand and remove needs-restack'
    const text = escalation('Rebase', reference(run.snapshot.repository, number), reason, wanted)
    run.stop({ step, number, code: 'rebase-conflict', reason })
    const message = { number, text, wantsPerson: isBottom && run.isTrunk(onto) }
    if (!(yield* run.attempt(post(run, step, 'rebase-conflict', message)))) return false
    if (!(yield* run.attempt(addLabel(step, number, 'needs-restack')))) return false
  }
  return true
}

/** The dependent and the pull requests above it that can be rebased, bottom first. */
function stackOf(run: Run, dependent: PullRequest): StackedBranch[] {
  const branchOf = ({ number, branch, head }: PullRequest, parent: number | null) => ({ number, branch, head, parent })
  const children = new Map<number, PullRequest[]>()
  for (const pullRequest of run.pullRequests) {
    const isLeft = staysInPlace(pullRequest) || run.isTrunkHead(pullRequest)
    const parent = isLeft ? undefined : run.parentOf(pullRequest)
    if (parent) children.set(parent.number, [...(children.get(parent.number) ?? []), pullRequest])
  }
  const stack = [branchOf(dependent, null)]
  const seen = new Set([dependent.number])
  // The array grows while it is read: one level of the stack after the other.
  for (const { number } of stack) {
    for (const above of children.get(number) ?? []) {
      if (seen.has(above.number)) continue
      seen.add(above.number)
      stack.push(branchOf(above, number))
    }
  }
  return stack
}

/** The branches without one and those above it. */
function below(branches: readonly StackedBranch[], number: number): StackedBranch[] {
  const removed = new Set([number])
  for (const branch of branches) if (branch.parent !== null && removed.has(branch.parent)) removed.add(branch.number)
  return branches.filter((branch) => !removed.has(branch.number))
}
