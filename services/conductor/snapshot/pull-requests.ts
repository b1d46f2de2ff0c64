import { hasTime, inPieces, nextTurn } from '../../../platform/async/time-slices.ts'
import type { MergedAnswer, PullRequestAnswer, ReviewAnswer } from './answers.ts'
import type { CheckAccess } from './check-access.ts'
import { latestChecks, unfinishedRuns } from './checks.ts'
import type { Check, MergedPullRequest, PullRequest } from './facts.ts'
import { itemOf, type ItemWorld, readLabels } from './issues.ts'
import { type Linked, linkedIssues } from './linked-issue.ts'
import { ItemLists } from './nested.ts'
import { hasAllReviewers, submitted, verdicts } from './verdicts.ts'

export interface PullRequestWorld extends ItemWorld {
  /** `owner/name` as the forge spells it. */
  repository: string
  /** Login keys of accounts whose reviews count though they may not write. */
  reviewers: ReadonlySet<string>
  openIssues: ReadonlySet<number>
  checkAccess: Pick<CheckAccess, 'isGranted'>
}

export async function pullRequestOf(
  world: PullRequestWorld,
  answer: PullRequestAnswer,
  reportedHeads: readonly string[],
): Promise<PullRequest> {
  const lists = new ItemLists(world)
  // What decides a merge is read first: the number of requests for one item is limited.
  const labels = await readLabels(lists, answer)
  const { checks, headAt } = await headOf(world, lists, answer)
  const reviewed = await reviewsOf(lists, answer, world.reviewers)
  const { time } = world
  const item = await itemOf(lists, answer, { labels, activity: 'activity', time })
  return {
    ...item,
    isDraft: answer.isDraft,
    isFork: answer.isCrossRepository,
    branch: answer.headRefName,
    head: answer.headRefOid,
    headAt,
    base: answer.baseRefName,
    baseHead: baseHeadOf(answer),
    mergeable: answer.mergeable,
    mergeState: answer.mergeStateStatus,
    isQueued: answer.autoMergeRequest !== null || answer.isInMergeQueue,
    ...reviewed,
    checks,
    reportedHeads,
    ...(await linksOf(world, lists, answer)),
  }
}

const baseHeadOf = ({ baseRef, baseRefOid }: Pick<PullRequestAnswer, 'baseRef' | 'baseRefOid'>): string | null =>
  baseRef && (baseRef.target?.oid ?? baseRefOid)

/** Checks are null, too, while the forge still shows the commit of an older head, or none. */
async function headOf(
  { checkAccess }: PullRequestWorld,
  lists: ItemLists,
  { headRefOid, commits, createdAt }: PullRequestAnswer,
): Promise<{ checks: Check[] | null; headAt: number }> {
  const commit = commits.nodes[0]?.commit
  const committedAt = Date.parse(commit?.committedDate ?? '')
  const headAt = Number.isNaN(committedAt) ? Date.parse(createdAt) : committedAt
  if (commit?.oid !== headRefOid) return { checks: null, headAt }
  const rollup = commit.statusCheckRollup
  const checks = rollup && (await lists.read('checks', rollup.id, rollup.contexts))
  const suites = await lists.read('suites', commit.id, commit.suites)
  if (checks?.isComplete === false || !suites.isComplete) return { checks: null, headAt }
  if (suites.nodes.length === 0 && !(await checkAccess.isGranted(headRefOid))) return { checks: null, headAt }
  const nodes = checks?.nodes ?? []
  if (!hasTime()) await nextTurn()
  return { checks: [...latestChecks(nodes), ...unfinishedRuns(suites.nodes, nodes)], headAt }
}

async function reviewsOf(
  lists: ItemLists,
  answer: PullRequestAnswer,
  reviewers: ReadonlySet<string>,
): Promise<Pick<PullRequest, 'verdicts' | 'reviews'>> {
  const { id, author } = answer
  const opinions = await lists.read('opinions', id, answer.opinions)
  // Newest first: reviews before a verdict of each reviewer and a review by another than the author do not matter.
  const hasVerdicts = (nodes: ReviewAnswer[]) => hasAllReviewers(nodes, reviewers)
  const hasOther = (nodes: ReviewAnswer[]) => submitted(nodes).some((review) => review.author !== (author?.login ?? ''))
  const reviews = await lists.read('reviews', id, answer.reviews, (nodes) => hasVerdicts(nodes) && hasOther(nodes))
  const isCounted = opinions.isComplete && (reviews.isComplete || hasVerdicts(reviews.nodes))
  return {
    verdicts: isCounted ? verdicts(opinions.nodes, reviews.nodes, reviewers) : null,
    reviews: reviews.isComplete || hasOther(reviews.nodes) ? submitted(reviews.nodes) : null,
  }
}

/** A part of the references says neither which is the lowest, nor that an issue is not among them. */
async function linksOf(
  { repository, openIssues }: PullRequestWorld,
  lists: ItemLists,
  answer: Pick<PullRequestAnswer, 'id' | 'references' | 'body' | 'headRefName'>,
): Promise<Linked | { linkedIssue: null; references: null }> {
  const { nodes: references, isComplete } = await lists.read('references', answer.id, answer.references)
  if (!isComplete) return { linkedIssue: null, references: null }
  const sources = { references, body: answer.body, branch: answer.headRefName }
  return inPieces(linkedIssues(sources, repository, openIssues))
}

export async function mergedOf(world: PullRequestWorld, answer: MergedAnswer): Promise<MergedPullRequest> {
  const { number, title, headRefName: branch, headRefOid: head, baseRefName: base, isCrossRepository: isFork } = answer
  const { references } = await linksOf(world, new ItemLists(world), answer)
  const mergedAt = Date.parse(answer.mergedAt)
  return { number, title, branch, head, base, baseHead: baseHeadOf(answer), isFork, mergedAt, references }
}
