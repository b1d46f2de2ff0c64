import type { CommentAnswer, MergedAnswer, PullRequestAnswer } from './answers.ts'
import { latestChecks } from './checks.ts'
import type { Check, MergedPullRequest, PullRequest, Verdict } from './facts.ts'
import { itemOf } from './issues.ts'
import { linkedIssues } from './linked-issue.ts'
import { ItemLists, type QueryWorld } from './nested.ts'
import { reportedHeads } from './reported-heads.ts'
import { hasAllReviewers, submitted, verdicts } from './verdicts.ts'

export interface PullRequestWorld extends QueryWorld {
  /** `owner/name` as the forge spells it. */
  repository: string
  /** Login keys of accounts whose reviews count though they may not write. */
  reviewers: ReadonlySet<string>
  openIssues: ReadonlySet<number>
}

/** `comments`: of the pull request, if it has failed checks. */
export async function pullRequestOf(
  world: PullRequestWorld,
  answer: PullRequestAnswer,
  comments: readonly CommentAnswer[],
): Promise<PullRequest> {
  const lists = new ItemLists(world)
  // What decides a merge is read first: the number of requests for one item is limited.
  const { checks, headAt } = await headOf(lists, answer)
  const reviews = await lists.read('reviews', answer.id, answer.reviews, (nodes) =>
    hasAllReviewers(nodes, world.reviewers),
  )
  const opinions = await lists.read('opinions', answer.id, answer.opinions)
  const { nodes: references } = await lists.read('references', answer.id, answer.references)
  const { headRefName: branch, body } = answer
  const isCounted = opinions.isComplete && reviews.isComplete
  const counted: Verdict[] | null = isCounted ? verdicts(opinions.nodes, reviews.nodes, world.reviewers) : null
  return {
    ...(await itemOf(lists, answer, 'activity')),
    isDraft: answer.isDraft,
    isFork: answer.isCrossRepository,
    branch,
    head: answer.headRefOid,
    headAt,
    base: answer.baseRefName,
    baseHead: baseHeadOf(answer),
    mergeable: answer.mergeable,
    mergeState: answer.mergeStateStatus,
    isQueued: answer.autoMergeRequest !== null || answer.isInMergeQueue,
    verdicts: counted,
    reviews: submitted(reviews.nodes),
    checks,
    reportedHeads: reportedHeads(comments),
    ...linkedIssues({ references, body, branch }, world.repository, world.openIssues),
  }
}

const baseHeadOf = ({ baseRef, baseRefOid }: Pick<PullRequestAnswer, 'baseRef' | 'baseRefOid'>): string | null =>
  baseRef && (baseRef.target?.oid ?? baseRefOid)

/** Checks are null, too, while the forge still shows the commit of an older head, or none. */
async function headOf(
  lists: ItemLists,
  { headRefOid, commits, createdAt }: PullRequestAnswer,
): Promise<{ checks: Check[] | null; headAt: number }> {
  const commit = commits.nodes[0]?.commit
  const headAt = Date.parse(commit?.committedDate ?? createdAt)
  if (commit?.oid !== headRefOid) return { checks: null, headAt }
  const rollup = commit.statusCheckRollup
  if (rollup === null) return { checks: [], headAt }
  const { nodes, isComplete } = await lists.read('checks', rollup.id, rollup.contexts)
  return { checks: isComplete ? latestChecks(nodes) : null, headAt }
}

/** True if its checks may have been reported in a comment: one of them failed, or not all are read. */
export function mayBeReported({ commits }: PullRequestAnswer): boolean {
  const contexts = commits.nodes[0]?.commit.statusCheckRollup?.contexts
  if (!contexts) return false
  const hasFailed = latestChecks(contexts.nodes).some(({ state }) => state === 'FAILURE' || state === 'ERROR')
  return hasFailed || contexts.pageInfo.hasNextPage
}

/** Of one branch the latest. */
export async function mergedOf(
  world: PullRequestWorld,
  answers: readonly MergedAnswer[],
): Promise<MergedPullRequest[]> {
  const latest = new Map<string, MergedPullRequest>()
  for (const answer of answers) {
    const { number, title, headRefName: branch, body, isCrossRepository: isFork } = answer
    const { nodes } = await new ItemLists(world).read('references', answer.id, answer.references)
    const { references } = linkedIssues({ references: nodes, body, branch }, world.repository, world.openIssues)
    const { headRefOid: head, baseRefName: base } = answer
    const merged = { number, title, branch, head, base, baseHead: baseHeadOf(answer), isFork, references }
    const mergedAt = Date.parse(answer.mergedAt)
    const key = isFork ? `#${number}` : branch
    if ((latest.get(key)?.mergedAt ?? 0) <= mergedAt) latest.set(key, { ...merged, mergedAt })
  }
  return [...latest.values()]
}
