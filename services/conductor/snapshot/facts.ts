// The facts that a decision may use. Times are milliseconds since 1970 by the clock of the forge.
import type { ConductorProblem } from '../../../schemas/conductor/run.ts'

/** Age in milliseconds from which activity does not matter, because no rule looks back further. */
export const STALE_TIME = 3 * 24 * 60 * 60_000

/** Spellings of GitHub's states after the tables of docs/services/conductor.md. */
export type CheckState = 'SUCCESS' | 'SKIPPED' | 'FAILURE' | 'ERROR' | 'PENDING' | 'GATE'
export type Verdict = 'APPROVED' | 'CHANGES_REQUESTED' | 'DISMISSED'

export interface Label {
  name: string
  /** Time of the newest addition, else of the item's creation; null: too many events to read. */
  since: number | null
}

export interface Check {
  /** Name of the check, context or workflow, with the name of its app if it has one. */
  name: string
  state: CheckState
  /** Time of its end; null while it runs. */
  endedAt: number | null
}

export interface Review {
  author: string
  /** Any state, also COMMENTED. */
  state: string
  submittedAt: number
}

interface Item {
  number: number
  title: string
  author: string
  createdAt: number
  labels: readonly Label[]
  /**
   * Newest activity of an account that is no bot, see docs/services/conductor.md. Of too many events to read: the latest
   * time that it can have. Earlier than the exact time only if both are older, or both younger, than STALE_TIME.
   */
  activeAt: number
}

export type Issue = Item

export interface PullRequest extends Item {
  isDraft: boolean
  /** Of a fork: its branch is never written and is no parent. */
  isFork: boolean
  branch: string
  head: string
  /** Commit time of the head, which its author chooses; the creation of the pull request if it is no date. */
  headAt: number
  base: string
  /** Null: the base branch is gone. */
  baseHead: string | null
  mergeable: 'MERGEABLE' | 'CONFLICTING' | 'UNKNOWN'
  /** GitHub's `mergeStateStatus`. */
  mergeState: 'BEHIND' | 'BLOCKED' | 'CLEAN' | 'DIRTY' | 'DRAFT' | 'HAS_HOOKS' | 'UNKNOWN' | 'UNSTABLE'
  /** Auto-merge is enabled, or it is in a merge queue. */
  isQueued: boolean
  /** Latest verdict of each account whose reviews count; null: too many to read. */
  verdicts: readonly Verdict[] | null
  /** Submitted reviews, down to the newest by another than the author; null: too many to read. */
  reviews: readonly Review[] | null
  /** Latest check of each name for the head; null: not readable, too many, or the forge shows another head. */
  checks: readonly Check[] | null
  /**
   * With `merge-ready` and failed checks: heads for which a comment with the marker `svc:conductor checks-failed` exists.
   * Of too many comments to read: also the current head.
   */
  reportedHeads: readonly string[]
  /** Number of the open issue that it closes, by the rules of docs/services/conductor.md; null if not known, too. */
  linkedIssue: number | null
  /** Numbers of all issues that it references as above, open or closed; null: too many to read. */
  references: readonly number[] | null
}

export interface MergedPullRequest {
  number: number
  title: string
  branch: string
  head: string
  base: string
  /** As of an open pull request: the base branch now. */
  baseHead: string | null
  isFork: boolean
  mergedAt: number
  /** As of an open pull request. */
  references: readonly number[] | null
}

export interface Snapshot {
  /** `owner/name` as the forge spells it. */
  repository: string
  /** `Date` of the first answer. */
  time: number
  mainBranch: string
  pipelineBase: string | null
  isSquashAllowed: boolean
  /** What the forge refuses to show. */
  problems: readonly ConductorProblem[]
  issues: readonly Issue[]
  pullRequests: readonly PullRequest[]
  /** The last 100 by update. */
  merged: readonly MergedPullRequest[]
}
