// Heads whose failed checks an own comment reports.
import { eachOf, inPieces } from '../../../platform/async/time-slices.ts'
import { commentsPage, type CommentAnswer, type ListOf, type PullRequestAnswer } from './answers.ts'
import { latestChecks } from './checks.ts'
import { ItemLists, type QueryWorld } from './nested.ts'
import { COMMENTS } from './queries.ts'

const MARKER = /<!-- svc:conductor checks-failed ([0-9a-f]{40}(?:[0-9a-f]{24})?) -->/g
/** Pull requests whose comments one query reads; GitHub allows no more. */
const QUERY_SIZE = 100

/** Reported heads by the id of the pull request, of those that may get such a comment: comments are long. */
export async function readReportedHeads(
  world: QueryWorld,
  answers: readonly PullRequestAnswer[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const wanted: PullRequestAnswer[] = []
  await inPieces(eachOf(answers, (answer) => void (mayBeReported(answer) && wanted.push(answer))))
  const heads = new Map<string, readonly string[]>()
  for (let from = 0; from < wanted.length; from += QUERY_SIZE) {
    const some = wanted.slice(from, from + QUERY_SIZE)
    const ids = some.map(({ id }) => id)
    const { rateLimit, nodes } = commentsPage(await world.forge.query(COMMENTS, { ids }, world.call))
    world.noteCost(rateLimit)
    const comments = new Map(nodes.map((node) => [node.id, node.comments]))
    const read = async (answer: PullRequestAnswer) =>
      heads.set(answer.id, await headsOf(world, answer, comments.get(answer.id)))
    await Promise.all(some.map(read))
  }
  return heads
}

/** With the current head if it is not known whether that is reported. */
async function headsOf(
  world: QueryWorld,
  { id, headRefOid: head, commits }: PullRequestAnswer,
  first: ListOf<'comments'> | undefined,
): Promise<string[]> {
  if (!first) return [head]
  const headAt = Date.parse(commits.nodes[0]!.commit.committedDate)
  // Newest first: comments before the one on this head, or before the head, do not matter.
  const isEnough = (comments: CommentAnswer[]) =>
    reportedHeads(comments).includes(head) || comments.some(({ createdAt }) => Date.parse(createdAt) < headAt)
  const { nodes, isComplete } = await new ItemLists(world).read('comments', id, first, isEnough)
  return isComplete ? reportedHeads(nodes) : [...reportedHeads(nodes), head]
}

/** True for `merge-ready` with checks of which one failed, or not all are read. */
function mayBeReported({ labels, commits }: PullRequestAnswer): boolean {
  const contexts = commits.nodes[0]?.commit.statusCheckRollup?.contexts
  if (!contexts || !labels.nodes.some(({ name }) => name.toLowerCase() === 'merge-ready')) return false
  const hasFailed = latestChecks(contexts.nodes).some(({ state }) => state === 'FAILURE' || state === 'ERROR')
  return hasFailed || contexts.pageInfo.hasNextPage
}

/** Heads that own comments mark as reported. A marker in a comment of another account could suppress a report. */
export function reportedHeads(comments: readonly CommentAnswer[]): string[] {
  const own = comments.filter(({ viewerDidAuthor }) => viewerDidAuthor)
  return [...new Set(own.flatMap(({ body }) => [...body.matchAll(MARKER)].map(([, head]) => head!)))]
}
