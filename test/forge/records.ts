// Records of the fake GitHub.

/** Account of the token. */
export const VIEWER = 'svc-conductor'

export type CheckStatus = 'COMPLETED' | 'IN_PROGRESS' | 'PENDING' | 'QUEUED' | 'REQUESTED' | 'WAITING'
export type CheckConclusion =
  | 'ACTION_REQUIRED'
  | 'CANCELLED'
  | 'FAILURE'
  | 'NEUTRAL'
  | 'SKIPPED'
  | 'STALE'
  | 'STARTUP_FAILURE'
  | 'SUCCESS'
  | 'TIMED_OUT'
export type StatusState = 'ERROR' | 'EXPECTED' | 'FAILURE' | 'PENDING' | 'SUCCESS'
export type ReviewState = 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED'
export type Mergeable = 'MERGEABLE' | 'CONFLICTING' | 'UNKNOWN'
export type MergeState = 'BEHIND' | 'BLOCKED' | 'CLEAN' | 'DIRTY' | 'DRAFT' | 'HAS_HOOKS' | 'UNKNOWN' | 'UNSTABLE'

/** Type of an entry of the timeline, as GraphQL names it. */
export type EventType =
  | 'LabeledEvent'
  | 'UnlabeledEvent'
  | 'AssignedEvent'
  | 'ReopenedEvent'
  | 'ClosedEvent'
  | 'ReadyForReviewEvent'
  | 'HeadRefForcePushedEvent'

/** Time in milliseconds since 1970, login of the actor. A login that ends with `[bot]` is a bot; null: deleted. */
export interface ItemEvent {
  type: EventType
  at: number
  by: string | null
  label?: string
}

export interface Comment {
  id: number
  at: number
  by: string | null
  body: string
}

export interface Review {
  at: number
  by: string | null
  state: ReviewState
  isWriter: boolean
}

/** A check run has an app; a status (`app: null`) has a state instead of status and conclusion. */
export interface CheckRecord {
  head: string
  name: string
  app: string | null
  status: CheckStatus
  conclusion: CheckConclusion | null
  state: StatusState
  startedAt: number | null
  completedAt: number | null
}

/** Check suite of a head: of a run of a workflow, or of an app. */
export interface SuiteRecord {
  head: string
  workflow: string | null
  status: CheckStatus
  conclusion: CheckConclusion | null
}

export interface IssueRecord {
  kind: 'issue' | 'pull-request'
  number: number
  title: string
  body: string
  author: string | null
  createdAt: number
  editedAt: number | null
  editor: string | null
  updatedAt: number
  state: 'OPEN' | 'CLOSED' | 'MERGED'
  labels: string[]
  events: ItemEvent[]
  comments: Comment[]
  assignees: string[]
}

export interface PullRequestRecord extends IssueRecord {
  kind: 'pull-request'
  branch: string
  base: string
  isDraft: boolean
  /** Its branch is no branch of the bare repository. */
  isFork: boolean
  /** Last known head; a branch of the bare repository updates it. */
  head: string
  /** Last known head of the base. */
  baseHead: string
  /** Instead of the committer date of the head. */
  headAt: number | null
  /** Commit that GraphQL shows as the newest, instead of the head. */
  shownCommit: string | null
  isAutoMerge: boolean
  isInMergeQueue: boolean
  reviews: Review[]
  /** Instead of the result of git. */
  mergeable: Mergeable | null
  mergeState: MergeState | null
  /** Message of a 405 that refuses its merge. */
  mergeRefusal: string | null
  /** Issues of the sidebar, beside those of the body. */
  closes: number[]
  mergedAt: number | null
  mergeCommit: string | null
}

/** Input of `GitHub.issue`; times default to the current time. */
export type NewIssue = Partial<
  Pick<IssueRecord, 'number' | 'title' | 'body' | 'author' | 'createdAt' | 'labels' | 'assignees'>
>

/** Input of `GitHub.pullRequest`. `head`: only of a fork, a commit of the bare repository. */
export type NewPullRequest = NewIssue & { branch: string } & Partial<
    Pick<
      PullRequestRecord,
      'base' | 'isDraft' | 'isFork' | 'head' | 'headAt' | 'isAutoMerge' | 'isInMergeQueue' | 'closes' | 'mergeable'
    > &
      Pick<PullRequestRecord, 'mergeState' | 'mergeRefusal'>
  >

export interface Stamp {
  /** Default: the current time. */
  at?: number
  /** Default: `mia`. */
  by?: string | null
}

/** Input of `GitHub.check`: a check run of `app`, or a status. Default: a completed SUCCESS of `github-actions`. */
export type NewCheck = { name: string; head?: string; app?: string; at?: number } & (
  | { conclusion?: CheckConclusion; status?: CheckStatus; state?: undefined }
  | { state: StatusState; conclusion?: undefined; status?: undefined }
)
