// Builders of snapshots. Without arguments they make items that need no action, and a pull request that can be merged.
import type { DecisionInput, Intent, Reported } from '../../../services/conductor/decision/contract.ts'
import type {
  Issue,
  Label,
  MergedPullRequest,
  PullRequest,
  Snapshot,
} from '../../../services/conductor/snapshot/facts.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Default time of a snapshot. */
export const TIME = Date.parse('2026-03-02T12:00:00Z')

/** Milliseconds before TIME. */
export const ago = (age: number): number => TIME - age

/** A commit name that depends on this number alone. */
export const commit = (n: number): string => n.toString(16).padStart(40, '0')

/** Head of a branch: that of its pull request. */
const headOf = (branch: string): string => commit(Number(/^change-(\d+)$/.exec(branch)?.[1] ?? 0))

export const label = (name: string, since: number | null): Label => ({ name, since })

/** A label given by name is as old as its item. */
type Given<Item extends { labels: readonly Label[] }> = Partial<Omit<Item, 'labels'>> & {
  labels?: readonly (string | Label)[]
}

const labelled = (given: readonly (string | Label)[], createdAt: number): Label[] =>
  given.map((each) => (typeof each === 'string' ? label(each, createdAt) : each))

/** An open issue labelled `bug`, created a day ago and active an hour ago. */
export function issue({ labels = ['bug'], ...given }: Given<Issue> = {}): Issue {
  const { number = 1, createdAt = ago(DAY) } = given
  return {
    number,
    title: `Issue ${number}`,
    author: 'ada',
    createdAt,
    activeAt: ago(HOUR),
    ...given,
    labels: labelled(labels, createdAt),
  }
}

/** An open pull request onto main that fulfils every rule, with the branch `change-<number>`. */
export function pullRequest({ labels = ['merge-ready'], ...given }: Given<PullRequest> = {}): PullRequest {
  const { number = 1, createdAt = ago(DAY), base = 'main' } = given
  return {
    number,
    title: `Change ${number}`,
    author: 'ada',
    createdAt,
    activeAt: ago(HOUR),
    isDraft: false,
    isFork: false,
    branch: `change-${number}`,
    head: commit(number),
    headAt: ago(2 * HOUR),
    base,
    baseHead: headOf(base),
    mergeable: 'MERGEABLE',
    mergeState: 'CLEAN',
    isQueued: false,
    verdicts: ['APPROVED'],
    reviews: [{ author: 'grace', state: 'APPROVED', submittedAt: ago(HOUR) }],
    checks: [{ name: 'ci', state: 'SUCCESS', endedAt: ago(HOUR) }],
    reportedHeads: [],
    linkedIssue: null,
    references: [],
    ...given,
    labels: labelled(labels, createdAt),
  }
}

/** A pull request that was merged into main an hour ago, with the branch `change-<number>`. */
export function mergedPullRequest(given: Partial<MergedPullRequest> = {}): MergedPullRequest {
  const { number = 1, base = 'main' } = given
  return {
    number,
    title: `Change ${number}`,
    branch: `change-${number}`,
    head: commit(number),
    base,
    baseHead: headOf(base),
    isFork: false,
    mergedAt: ago(HOUR),
    references: [],
    ...given,
  }
}

/** An empty repository with main branch `main`, no pipeline base branch, and squash merges allowed. */
export function snapshotOf(given: Partial<Snapshot> = {}): Snapshot {
  return {
    repository: 'acme/shop',
    time: TIME,
    mainBranch: 'main',
    pipelineBase: null,
    isSquashAllowed: true,
    problems: [],
    issues: [],
    pullRequests: [],
    merged: [],
    ...given,
  }
}

/** Empty memory, no open intents, mention `@ada`. */
export function inputOf(
  snapshot: Snapshot | Partial<Snapshot>,
  given: { reported?: Reported; intents?: readonly Intent[]; mention?: string | null } = {},
): DecisionInput {
  return { snapshot: snapshotOf(snapshot), reported: new Map(), intents: [], mention: '@ada', ...given }
}
