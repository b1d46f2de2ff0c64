// Reads everything that a decision needs, or fails: a decision on a part could merge what it must not.
import { type Forge, type ForgeCall, ForgeFault, MOST_PAGES } from '../../../platform/forge/forge.ts'
import {
  type CommentAnswer,
  commentsPage,
  type Cost,
  type IssueAnswer,
  issuesPage,
  type MergedAnswer,
  mergedPage,
  onePullRequest,
  type PullRequestAnswer,
  type PullRequestsPage,
  pullRequestsPage,
} from './answers.ts'
import type { PullRequest, Snapshot } from './facts.ts'
import { issueOf } from './issues.ts'
import { ItemLists, type QueryWorld } from './nested.ts'
import { mayBeReported, mergedOf, pullRequestOf, type PullRequestWorld } from './pull-requests.ts'
import { COMMENTS, ISSUES, MERGED, ONE_PULL_REQUEST, PULL_REQUESTS } from './queries.ts'
import { loginKey } from './verdicts.ts'

export interface ReadingOptions {
  forge: Forge
  owner: string
  name: string
  pipelineBase: string | null
  /** Logins whose reviews count though they may not write. */
  reviewers: readonly string[]
}

export interface Reading {
  snapshot: Snapshot
  /** Points of GraphQL's rate limit; `remaining` of the last answer, null if not told. */
  cost: { points: number; remaining: number | null }
  requests: number
}

/** Pull requests whose comments one query reads. */
const COMMENTS_OF = 20

/** Throws ForgeFault, or the signal's reason. */
export async function readSnapshot(options: ReadingOptions, signal: AbortSignal): Promise<Reading> {
  const { forge, pipelineBase } = options
  const failed = new AbortController()
  const cost = { points: 0, remaining: null as number | null }
  const before = forge.requests
  let firstDate: string | undefined
  const call: ForgeCall = {
    signal: AbortSignal.any([signal, failed.signal]),
    onDate: (date) => void (firstDate ??= date),
  }
  const world: QueryWorld = { forge, call, noteCost: (each) => addCost(cost, each) }
  try {
    const lists = await readLists(world, options)
    const { repository, mainBranch, isSquashAllowed } = lists
    const openIssues = new Set(lists.issues.map(({ number }) => number))
    const pullWorld = { ...world, ...reviewersOf(options), repository, openIssues }
    const [issues, pullRequests, merged] = await Promise.all([
      Promise.all(lists.issues.map((issue) => issueOf(world, issue))),
      readPullRequests(pullWorld, lists.pullRequests),
      mergedOf(pullWorld, lists.merged),
    ])
    const time = timeOf(firstDate)
    const shared = { repository, time, mainBranch, pipelineBase, isSquashAllowed }
    return { snapshot: { ...shared, issues, pullRequests, merged }, cost, requests: forge.requests - before }
  } catch (error) {
    signal.throwIfAborted()
    // The other lists need no more requests.
    failed.abort(error)
    throw error
  }
}

/** Reads one pull request; null if it is not open. `openIssues`: of the last snapshot. */
export async function readPullRequest(
  options: ReadingOptions,
  number: number,
  openIssues: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<PullRequest | null> {
  const { forge, owner, name } = options
  const world: QueryWorld = { forge, call: { signal }, noteCost: () => undefined }
  try {
    const { repository } = onePullRequest(await forge.query(ONE_PULL_REQUEST, { owner, name, number }, world.call))
    const answer = repository.pullRequest
    if (answer?.state !== 'OPEN') return null
    const pullWorld = { ...world, ...reviewersOf(options), repository: repository.nameWithOwner, openIssues }
    return (await readPullRequests(pullWorld, [answer]))[0]!
  } catch (error) {
    const isMissing = error instanceof ForgeFault && error.code === 'forge-refused'
    if (isMissing && error.field === 'repository.pullRequest') return null
    throw error
  }
}

interface Lists {
  repository: string
  mainBranch: string
  isSquashAllowed: boolean
  issues: IssueAnswer[]
  pullRequests: PullRequestAnswer[]
  merged: MergedAnswer[]
}

/** A page needs the cursor of the one before; lists are read in parallel. */
async function readLists(world: QueryWorld, options: ReadingOptions): Promise<Lists> {
  const [issues, pulls, merged] = await Promise.all([
    readIssues(world, options),
    readPages(world, options),
    readMerged(world, options),
  ])
  const { nameWithOwner: repository, defaultBranchRef, squashMergeAllowed: isSquashAllowed } = pulls.repository
  if (defaultBranchRef === null)
    throw new ForgeFault('forge-unsupported', `${repository} has no main branch: push a first commit`)
  const shared = { repository, mainBranch: defaultBranchRef.name, isSquashAllowed }
  return { ...shared, issues, pullRequests: pulls.nodes, merged }
}

async function readIssues({ forge, call, noteCost }: QueryWorld, { owner, name }: ReadingOptions) {
  const issues: IssueAnswer[] = []
  let pages = 0
  for await (const page of forge.queryPages(ISSUES, { owner, name }, call)) {
    const { rateLimit, repository } = issuesPage(page)
    noteCost(rateLimit)
    issues.push(...repository.list.nodes)
    limitPages(++pages, repository.list, `${owner}/${name} has too many open issues`)
  }
  return issues
}

async function readPages({ forge, call, noteCost }: QueryWorld, { owner, name }: ReadingOptions) {
  const nodes: PullRequestAnswer[] = []
  let pages = 0
  let first: PullRequestsPage['repository'] | null = null
  for await (const page of forge.queryPages(PULL_REQUESTS, { owner, name }, call)) {
    const { rateLimit, repository } = pullRequestsPage(page)
    noteCost(rateLimit)
    first ??= repository
    nodes.push(...repository.list.nodes)
    limitPages(++pages, repository.list, `${owner}/${name} has too many open pull requests`)
  }
  return { repository: first!, nodes }
}

/** Throws if more pages follow than one snapshot reads. */
function limitPages(pages: number, { pageInfo }: { pageInfo: { hasNextPage: boolean } }, what: string): void {
  if (pages < MOST_PAGES || !pageInfo.hasNextPage) return
  throw new ForgeFault('forge-unsupported', `${what}, more than ${MOST_PAGES} pages: close those that are over`)
}

async function readMerged({ forge, call, noteCost }: QueryWorld, { owner, name }: ReadingOptions) {
  const { rateLimit, repository } = mergedPage(await forge.query(MERGED, { owner, name }, call))
  noteCost(rateLimit)
  return repository.list.nodes
}

async function readPullRequests(world: PullRequestWorld, answers: readonly PullRequestAnswer[]) {
  const comments = await readComments(world, answers.filter(mayBeReported))
  return Promise.all(answers.map((answer) => pullRequestOf(world, answer, comments.get(answer.id) ?? [])))
}

/** Comments since the head, of pull requests with failed checks: few have them, and comments are long. */
async function readComments(world: QueryWorld, answers: readonly PullRequestAnswer[]) {
  const comments = new Map<string, CommentAnswer[]>()
  for (let from = 0; from < answers.length; from += COMMENTS_OF) {
    const some = answers.slice(from, from + COMMENTS_OF)
    const ids = some.map(({ id }) => id)
    const { rateLimit, nodes } = commentsPage(await world.forge.query(COMMENTS, { ids }, world.call))
    world.noteCost(rateLimit)
    for (const { id, comments: first } of nodes) {
      const headAt = some.find((answer) => answer.id === id)?.commits.nodes[0]?.commit.committedDate ?? ''
      const isOlder = (read: CommentAnswer[]) => read[0] !== undefined && read[0].createdAt < headAt
      comments.set(id, (await new ItemLists(world).read('comments', id, first, isOlder)).nodes)
    }
  }
  return comments
}

const reviewersOf = ({ reviewers }: ReadingOptions) => ({ reviewers: new Set(reviewers.map(loginKey)) })

function addCost(cost: Reading['cost'], each: Cost): void {
  cost.points += each?.cost ?? 0
  cost.remaining = each?.remaining ?? cost.remaining
}

function timeOf(date: string | undefined): number {
  const time = Date.parse(date ?? '')
  if (!Number.isNaN(time)) return time
  throw new ForgeFault('forge-unreadable', 'the forge answers without a Date header: check SVC_FORGE_API_URL')
}
