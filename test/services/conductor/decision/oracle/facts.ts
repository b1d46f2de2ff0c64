// Predicates over single items of a snapshot, written from the pages and not from the code.
import type { DecisionInput } from '../../../../../services/conductor/decision/contract.ts'
import type {
  Issue,
  MergedPullRequest,
  PullRequest,
  Snapshot,
} from '../../../../../services/conductor/snapshot/facts.ts'

export type Item = Issue | PullRequest
export type RestackFailure = 'conflict' | 'moved' | 'unchanged' | 'error'
export type MergeFailure = 'moved' | 'closed' | 'conflict' | 'gate' | 'error'

/** What a snapshot meets: replies by number; every other write succeeds. */
export interface Case extends DecisionInput {
  group: string
  /** Of each dimension of the group. */
  choices: object
  restacks?: Readonly<Record<number, RestackFailure>>
  merges?: Readonly<Record<number, MergeFailure>>
  /** Answers to the deletion of a branch, by the number of its pull request. */
  deletions?: Readonly<Record<number, 'error' | 'moved'>>
  /** Answers to the posts `merged` and `gate`. */
  announcements?: Readonly<Record<number, 'error' | 'missing'>>
  /** What the forge answers when a pull request is read again; null: no longer open. Without an entry: the snapshot. */
  rereads?: Readonly<Record<number, PullRequest | null>>
}

export const SECOND = 1000
export const MINUTES = 60 * SECOND
export const HOURS = 60 * MINUTES
export const DAYS = 24 * HOURS

export const byNumber = (a: { number: number }, b: { number: number }): number => a.number - b.number

/** The forge ignores case in names of labels. */
export const has = (item: Item, ...names: string[]): boolean =>
  item.labels.some(({ name }) => names.includes(name.toLowerCase()))
/** A time that is not known is none. */
export const labelTime = (item: Item, name: string): number | undefined =>
  item.labels.find((label) => label.name.toLowerCase() === name)?.since ?? undefined

/** "After N": age ≥ N. */
export const after = (snapshot: Snapshot, time: number, age: number): boolean => snapshot.time - time >= age
/** "More than", "over": age > N. */
export const over = (snapshot: Snapshot, time: number, age: number): boolean => snapshot.time - time > age

/** Main branch or pipeline base branch. */
export const isTrunk = (snapshot: Snapshot, branch: string): boolean =>
  branch === snapshot.mainBranch || branch === snapshot.pipelineBase

/** The open pull request whose head is the base. Forks are no parents. */
export const parentOf = (snapshot: Snapshot, { base, number }: PullRequest): PullRequest | undefined =>
  isTrunk(snapshot, base)
    ? undefined
    : snapshot.pullRequests.find((other) => other.number !== number && !other.isFork && other.branch === base)

/** Main and the pipeline base, as heads of pull requests, are never moved. */
export const isTrunkHead = (snapshot: Snapshot, { isFork, branch }: PullRequest): boolean =>
  !isFork && isTrunk(snapshot, branch)

/**
 * The merged pull request whose head is the base of this one, if no open one has that head. The branch has ended: it is
 * gone, or its head is the one that was merged.
 */
export const mergedBelow = (
  snapshot: Snapshot,
  { base, baseHead }: Pick<PullRequest, 'base' | 'baseHead'>,
): MergedPullRequest | undefined =>
  isTrunk(snapshot, base) || snapshot.pullRequests.some(({ isFork, branch }) => !isFork && branch === base)
    ? undefined
    : snapshot.merged.find(
        ({ isFork, branch, head }) => !isFork && branch === base && (baseHead === null || baseHead === head),
      )

/** Number of open pull requests below; those of a cycle have no bottom. */
export function depthOf(snapshot: Snapshot, pull: PullRequest): number {
  const below = new Set<PullRequest>([pull])
  for (let next = parentOf(snapshot, pull); next !== undefined; next = parentOf(snapshot, next)) {
    if (below.has(next)) return Infinity
    below.add(next)
  }
  return below.size - 1
}

export const isApproved = ({ verdicts }: PullRequest): boolean =>
  verdicts !== null && verdicts.includes('APPROVED') && !verdicts.includes('CHANGES_REQUESTED')
export const wantsChanges = ({ verdicts }: PullRequest): boolean => verdicts?.includes('CHANGES_REQUESTED') === true
export const lacksApprovals = ({ verdicts }: PullRequest): boolean =>
  verdicts !== null && !verdicts.includes('APPROVED') && !verdicts.includes('CHANGES_REQUESTED')

/** Undefined: not known. */
export const lacksReview = ({ reviews, author }: PullRequest, since: number): boolean | undefined =>
  reviews === null ? undefined : !reviews.some((each) => each.author !== author && each.submittedAt >= since)
/** "Null" references may be those of any issue. */
export const mayRefer = ({ references }: Pick<PullRequest, 'references'>, issue: number): boolean =>
  references === null || references.includes(issue)

export const hasFailed = ({ checks }: PullRequest): boolean =>
  checks?.some(({ state }) => state === 'FAILURE' || state === 'ERROR') === true

/** What a run knows when it begins. */
export type Past = Pick<Case, 'snapshot' | 'reported'>

/**
 * The latest of the head's commit, the creation, and the first run that found the head in the queue: this one, unless
 * the memory has an earlier one. Heads outside the queue are not remembered.
 */
const appearance = (
  { snapshot, reported }: Past,
  { number, head, headAt, createdAt }: PullRequest,
  isInQueue: boolean,
): number => {
  const seen = isInQueue ? (reported?.get(`seen #${number} @${head}`) ?? snapshot.time) : -Infinity
  return Math.max(headAt, createdAt, seen)
}

/** Heads whose age decides: those without checks, and blocked ones. */
export const isAgeRelevant = ({ checks, mergeState }: PullRequest): boolean =>
  (checks !== null && checks.length === 0) || mergeState === 'BLOCKED'

export const isPending = (past: Past, pull: PullRequest, isInQueue = true): boolean =>
  pull.checks === null ||
  pull.checks.some(({ state }) => state === 'PENDING') ||
  (pull.checks.length === 0 && !after(past.snapshot, appearance(past, pull, isInQueue), 5 * MINUTES))

/** "Label human-gate, a gate check, or merge state BLOCKED with a head of 30 minutes"; and a forbidden squash merge. */
export const isGated = (past: Past, pull: PullRequest, isInQueue = true): boolean =>
  !past.snapshot.isSquashAllowed ||
  has(pull, 'human-gate') ||
  pull.checks?.some(({ state }) => state === 'GATE') === true ||
  (pull.mergeState === 'BLOCKED' && after(past.snapshot, appearance(past, pull, isInQueue), 30 * MINUTES))

/** "UNKNOWN" of mergeability, or of what blocks the merge. */
export const isComputing = ({ mergeable, mergeState }: PullRequest): boolean =>
  mergeable === 'UNKNOWN' || mergeState === 'UNKNOWN'

/** BLOCKED of a young head is `checks-pending`, unless another gate is known. */
export const isBlockedYoung = (past: Past, pull: PullRequest, isInQueue = true): boolean =>
  pull.mergeState === 'BLOCKED' && !isGated(past, pull, isInQueue)

export const isSecurity = (item: Item): boolean => has(item, 'security', 'security-agent', 'security-advisory')
