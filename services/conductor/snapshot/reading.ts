// Reads everything that a decision needs, or fails: a decision on a part could merge what it must not.
import { type Forge, type ForgeCall, ForgeFault, MOST_PAGES } from '../../../platform/forge/forge.ts'
import {
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
import { CheckAccess, withCheckRemedy } from './check-access.ts'
import type { PullRequest, Snapshot } from './facts.ts'
import { issueOf } from './issues.ts'
import type { QueryWorld } from './nested.ts'
import { mergedOf, pullRequestOf, type PullRequestWorld } from './pull-requests.ts'
import { ISSUES, MERGED, ONE_PULL_REQUEST, PULL_REQUESTS } from './queries.ts'
import { readReportedHeads } from './reported-heads.ts'
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
    const checkAccess = new CheckAccess(world, { ...options, isPrivate: lists.isPrivate })
    const openIssues = new Set(lists.issues.map(({ number }) => number))
    const time = timeOf(firstDate)
    const itemWorld = { ...world, ...reviewersOf(options), repository, openIssues, checkAccess, time }
    const [issues, pullRequests, merged] = await Promise.all([
      Promise.all(lists.issues.map((issue) => issueOf(itemWorld, issue))),
      readPullRequests(itemWorld, lists.pullRequests),
      Promise.all(lists.merged.map((each) => mergedOf(itemWorld, each))),
    ])
    const { refusal } = checkAccess
    const problems = refusal === null ? [] : [{ code: 'forge-refused' as const, detail: refusal }]
    const shared = { repository, time, mainBranch, pipelineBase, isSquashAllowed, problems }
    return { snapshot: { ...shared, issues, pullRequests, merged }, cost, requests: forge.requests - before }
  } catch (error) {
    signal.throwIfAborted()
    // The other lists need no more requests.
    failed.abort(error)
    throw withCheckRemedy(error)
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
  let date: string | undefined
  const call: ForgeCall = { signal, onDate: (each) => void (date ??= each) }
  const world: QueryWorld = { forge, call, noteCost: () => undefined }
  try {
    const { repository } = onePullRequest(await forge.query(ONE_PULL_REQUEST, { owner, name, number }, world.call))
    const answer = repository.pullRequest
    if (answer.state !== 'OPEN') return null
    const checkAccess = new CheckAccess(world, { owner, name, isPrivate: repository.isPrivate })
    const own = { repository: repository.nameWithOwner, openIssues, checkAccess, time: timeOf(date) }
    return (await readPullRequests({ ...world, ...reviewersOf(options), ...own }, [answer]))[0]!
  } catch (error) {
    const isMissing = error instanceof ForgeFault && error.status === 404
    if (isMissing && error.field === 'repository.pullRequest') return null
    throw withCheckRemedy(error)
  }
}

interface Lists {
  repository: string
  isPrivate: boolean
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
  const { nameWithOwner: repository, isPrivate, defaultBranchRef, squashMergeAllowed } = pulls.repository
  if (defaultBranchRef === null)
    throw new ForgeFault('forge-unsupported', `${repository} has no main branch: push a first commit`)
  const shared = { repository, isPrivate, mainBranch: defaultBranchRef.name, isSquashAllowed: squashMergeAllowed }
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
  const heads = await readReportedHeads(world, answers)
  return Promise.all(answers.map((answer) => pullRequestOf(world, answer, heads.get(answer.id) ?? [])))
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
