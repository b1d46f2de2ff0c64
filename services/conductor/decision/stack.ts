// Pull requests on a merged one: they move onto its base, and the ones above follow.
import type { StackedBranch } from '../git.ts'
import type { MergedPullRequest, PullRequest } from '../snapshot/facts.ts'
import { act, addLabel, isError, post } from './actions.ts'
import type { Intent, Step } from './contract.ts'
import { hasLabel } from './labels.ts'
import type { RunState } from './run-state.ts'
import { escalation, reference } from './texts.ts'

/** Afterwards the branch stays: a forge may forbid each deletion. */
export const RETRY_TIME = 24 * 60 * 60_000

type Merged = Pick<MergedPullRequest, 'number' | 'branch' | 'base' | 'head' | 'isFork'>

/**
 * After a merge: moves the dependents, deletes the branch, and announces the merge unless a dependent conflicts. The
 * intent stays open after an error, for the runs of the next 24 hours.
 */
export function* finishMerge(
  run: RunState,
  step: number,
  merged: MergedPullRequest | PullRequest,
  intent: Intent,
): Step {
  if (!intent.isReported) run.applyMerge(merged)
  const areMoved = yield* moveDependents(run, step, merged)
  const isDeleted = yield* deleteBranch(run, step, merged)
  const isReported = intent.isReported === true || run.stopped !== null || (yield* announce(run, step, merged))
  const isLate = 'mergedAt' in merged && run.age(merged.mergedAt) > RETRY_TIME
  if (isLate || (areMoved && isDeleted && isReported)) yield* run.intend({ close: intent })
  else if (isReported) yield* run.intend({ open: { ...intent, isReported } })
}

/** False after an error. */
function* moveDependents(run: RunState, step: number, merged: Merged): Step<boolean> {
  let areMoved = true
  for (const { number } of run.pullRequests.filter(({ base }) => base === merged.branch)) {
    const dependent = run.pullRequest(number)
    const below = dependent && run.mergedBelow(dependent)
    if (dependent && below?.number === merged.number)
      areMoved = (yield* moveDependent(run, step, dependent, below)) && areMoved
  }
  return areMoved
}

/** False after an error. A branch that has moved or is in use stays. */
function* deleteBranch(run: RunState, step: number, merged: Merged): Step<boolean> {
  if (!mayDelete(run, merged)) return true
  const { number, branch, head } = merged
  const deletion = act(step, 'delete-branch', { number, branch, sha: head, trunks: run.trunks })
  return !isError(yield* run.perform(deletion))
}

/** False after an error. */
function* announce(run: RunState, step: number, { number, head, base }: Merged): Step<boolean> {
  const text = `**Merged** ${reference(run.snapshot.repository, number)} into \`${base}\``
  return !isError(yield* run.perform(post(run, step, 'merged', { number, sha: head, text })))
}

/** The forge closes pull requests that lose their base or their branch. */
function mayDelete(run: RunState, { branch, isFork }: Merged): boolean {
  if (isFork || run.isTrunk(branch)) return false
  return !run.pullRequests.some((open) => open.base === branch || (!open.isFork && open.branch === branch))
}

/** Forks are never written; a branch that conflicted once waits for a person. */
const staysInPlace = (pullRequest: PullRequest): boolean => pullRequest.isFork || hasLabel(pullRequest, 'needs-restack')

/**
 * Restacks and retargets one dependent, except a trunk, which is left to a person. Its new base ends the situation, so
 * it is written last: a run after a crash finds the restacked head in the new base, and retargets. False after an error.
 */
export function* moveDependent(
  run: RunState,
  step: number,
  dependent: PullRequest,
  merged: MergedPullRequest,
): Step<boolean> {
  const { number, branch, isFork } = dependent
  if (run.isTrunkHead(dependent)) return true
  const onto = run.baseBelow(merged)
  if (onto === null || (onto === branch && !isFork)) return true
  const progress = staysInPlace(dependent) ? 'moved' : yield* restack(run, step, dependent, { merged, onto })
  if (progress !== 'moved') return progress === 'deferred'
  return !isError(yield* run.perform(act(step, 'retarget', { number, base: onto })))
}

interface Destination {
  merged: MergedPullRequest
  onto: string
}

interface Conflict {
  number: number
  /** See ActReply. */
  isRefused: boolean
}

/** `deferred`: to the next run, which reads the head again. */
type Progress = 'moved' | 'deferred' | 'error'

/** A conflict is reported before the branches below it move: afterwards the commits no longer show it. */
function* restack(run: RunState, step: number, dependent: PullRequest, destination: Destination): Step<Progress> {
  const { merged, onto } = destination
  const { number, branch, head } = dependent
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
    if (reply.code !== 'conflict') return isError(reply) ? 'error' : 'deferred'
    const conflicting = branches.find((stacked) => stacked.number === reply.number)?.number ?? number
    const conflict = { number: conflicting, isRefused: reply.isRefused === true }
    if (!(yield* reportConflict(run, step, conflict, { ...destination, dependent }))) return 'error'
    branches = below(branches, conflicting)
  }
  return 'moved'
}

/** False if a report failed, so that the next run must find the conflict again. */
function* reportConflict(
  run: RunState,
  step: number,
  { number, isRefused }: Conflict,
  { dependent, merged, onto }: Destination & { dependent: PullRequest },
): Step<boolean> {
  if (run.merged.has(merged.number))
    yield* run.intend({ open: { number: merged.number, head: merged.head, at: run.snapshot.time, isReported: true } })
  const isBottom = number === dependent.number
  const failure = isRefused ? 'the remote refuses the push of its rebase' : 'its rebase conflicts'
  const reason = `${failure} after the merge of #${merged.number}`
  const wanted = 'rebase the branch by hand and remove needs-restack'
  const text = escalation('Rebase', reference(run.snapshot.repository, number), reason, wanted)
  run.stop({ step, number, code: 'rebase-conflict', reason })
  const message = { number, text, wantsPerson: isBottom && run.isTrunk(onto) }
  if (!(yield* run.attempt(post(run, step, 'rebase-conflict', message)))) return false
  return yield* run.attempt(addLabel(step, number, 'needs-restack'))
}

/** The dependent and the pull requests above it that can be restacked, bottom first. */
function stackOf(run: RunState, dependent: PullRequest): StackedBranch[] {
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
