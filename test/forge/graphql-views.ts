// Objects of the GraphQL schema, made from the state on demand.
import { GraphQLError } from 'graphql'
import { type CheckRecord, type PullRequestRecord, type Review, VIEWER } from './records.ts'
import type { AnyItem, GitHubState } from './state.ts'

interface PageArguments {
  first?: number
  last?: number
  after?: string
  before?: string
}

const LARGEST_PAGE = 100

export const notFound = (message: string) => new GraphQLError(message, { extensions: { type: 'NOT_FOUND' } })

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

function actor(login: string | null): object | null {
  if (login === null) return null
  const isBot = login.endsWith('[bot]')
  return { __typename: isBot ? 'Bot' : 'User', login: login.replace(/\[bot\]$/, '') }
}

/** A cursor is the position of its entry. */
function connection<T>(all: readonly T[], given: PageArguments, view: (entry: T) => unknown, most = LARGEST_PAGE) {
  const { first, last, after, before } = given
  const asked = first ?? last
  if (asked === undefined)
    throw new GraphQLError('you must provide a `first` or `last` value', {
      extensions: { type: 'MISSING_PAGINATION_BOUNDARIES' },
    })
  if (asked < 1 || asked > LARGEST_PAGE)
    throw new GraphQLError(`requesting ${asked} records exceeds the limit of ${LARGEST_PAGE}`, {
      extensions: { type: 'EXCESSIVE_PAGINATION' },
    })
  const size = Math.min(asked, most)
  const from = after ? Number(after) + 1 : 0
  const to = before ? Number(before) : all.length
  const start = first === undefined ? Math.max(from, to - size) : from
  const end = first === undefined ? to : Math.min(to, from + size)
  const pageInfo = {
    hasNextPage: end < all.length,
    hasPreviousPage: start > 0,
    startCursor: start < end ? String(start) : null,
    endCursor: start < end ? String(end - 1) : null,
  }
  return { totalCount: all.length, pageInfo, nodes: all.slice(start, end).map(view) }
}

type Listing = PageArguments & { states?: string[]; orderBy?: { field: string; direction: string } }

export function repositoryView(github: GitHubState) {
  const list = (kind: AnyItem['kind'], { states, orderBy, ...page }: Listing) => {
    const all = [...github.items.values()].filter(
      (item) => item.kind === kind && (!states || states.includes(item.state)),
    )
    const by = orderBy?.field === 'UPDATED_AT' ? 'updatedAt' : 'createdAt'
    all.sort((a, b) => a[by] - b[by] || a.number - b.number)
    if (orderBy?.direction === 'DESC') all.reverse()
    return connection(all, page, (item) => itemView(github, item))
  }
  const find = (kind: AnyItem['kind'], number: number) => {
    const item = github.items.get(number)
    if (item?.kind === kind) return itemView(github, item)
    throw notFound(`Could not resolve to an item with the number of ${number}.`)
  }
  return {
    id: 'REPOSITORY_1',
    nameWithOwner: github.repository,
    isPrivate: github.settings.isPrivate,
    squashMergeAllowed: github.settings.isSquashAllowed,
    defaultBranchRef: github.settings.hasMainBranch ? { name: github.git.mainBranch() } : null,
    issues: (given: Listing) => list('issue', given),
    pullRequests: (given: Listing) => list('pull-request', given),
    issue: ({ number }: { number: number }) => find('issue', number),
    pullRequest: ({ number }: { number: number }) => find('pull-request', number),
  }
}

export function itemView(github: GitHubState, item: AnyItem): Record<string, any> {
  const nested = github.nestedPage
  const shared = {
    id: `ITEM_${item.number}`,
    number: item.number,
    title: item.title,
    body: item.body,
    state: item.state,
    author: actor(item.author),
    editor: actor(item.editor),
    createdAt: iso(item.createdAt),
    updatedAt: iso(item.updatedAt),
    lastEditedAt: iso(item.editedAt),
    repository: { nameWithOwner: github.repository },
    labels: (page: PageArguments) => connection(item.labels, page, (name) => ({ name }), nested),
    comments: (page: PageArguments) => connection(item.comments, page, commentView, nested),
    timelineItems: ({ itemTypes, ...page }: PageArguments & { itemTypes?: string[] }) => {
      const all = timeline(github, item).filter(({ type }) => !itemTypes || itemTypes.includes(constantOf(type)))
      return connection(all, page, ({ view }) => view, nested)
    },
  }
  if (item.kind === 'issue') return { __typename: 'Issue', ...shared }
  return { __typename: 'PullRequest', ...shared, ...pullRequestView(github, item as PullRequestRecord) }
}

function pullRequestView(github: GitHubState, pull: PullRequestRecord) {
  const nested = github.nestedPage
  const headAt = pull.headAt ?? github.git.dateOf(pull.head)
  const rollup = () => rollupView(github, pull)
  const commit = {
    __typename: 'Commit',
    id: `COMMIT_${pull.number}`,
    oid: pull.shownCommit ?? pull.head,
    committedDate: iso(headAt),
    statusCheckRollup: rollup,
    checkSuites: (page: PageArguments) => connection(suitesOf(github, pull), page, (suite) => suite, nested),
  }
  return {
    isDraft: pull.isDraft,
    isCrossRepository: pull.isFork,
    headRefName: pull.branch,
    headRefOid: pull.head,
    baseRefName: pull.base,
    baseRefOid: pull.baseHead,
    baseRef: () => {
      const oid = github.git.branches().get(pull.base)
      return oid === undefined ? null : { name: pull.base, target: { __typename: 'Commit', oid } }
    },
    mergeable: () => github.mergeableOf(pull),
    mergeStateStatus: () => github.mergeStateOf(pull),
    autoMergeRequest: pull.isAutoMerge ? { enabledAt: iso(github.now) } : null,
    isInMergeQueue: pull.isInMergeQueue,
    mergedAt: iso(pull.mergedAt),
    mergeCommit: pull.mergeCommit === null ? null : { oid: pull.mergeCommit },
    statusCheckRollup: rollup,
    rollup,
    commit,
    commits: (page: PageArguments) => connection([commit], page, (each) => ({ commit: each }), nested),
    reviews: (page: PageArguments) => connection(pull.reviews, page, reviewView, nested),
    latestOpinionatedReviews: ({ writersOnly, ...page }: PageArguments & { writersOnly?: boolean }) =>
      connection(opinions(pull, writersOnly ?? false), page, reviewView, nested),
    closingIssuesReferences: (page: PageArguments) => {
      const closed = pull.closes.map((number) => github.items.get(number)).filter((issue) => issue !== undefined)
      return connection(closed, page, (issue) => itemView(github, issue), nested)
    },
  }
}

const commentView = ({ id, at, by, body }: { id: number; at: number; by: string | null; body: string }) => ({
  id: `COMMENT_${id}`,
  createdAt: iso(at),
  author: actor(by),
  viewerDidAuthor: by === VIEWER,
  body,
})

const reviewView = ({ at, by, state }: Review) => ({
  __typename: 'PullRequestReview',
  submittedAt: iso(at),
  author: actor(by),
  state,
})

/** The latest of each account that is no comment. */
function opinions({ reviews }: PullRequestRecord, writersOnly: boolean): Review[] {
  const latest = new Map<string | null, Review>()
  for (const review of reviews)
    if (review.state !== 'COMMENTED' && (review.isWriter || !writersOnly)) latest.set(review.by, review)
  return [...latest.values()]
}

function rollupView(github: GitHubState, pull: PullRequestRecord) {
  const checks = github.checks.filter(({ head }) => head === pull.head)
  if (checks.length === 0) return null
  if (!github.areChecksReadable)
    throw new GraphQLError('Resource not accessible by personal access token', { extensions: { type: 'FORBIDDEN' } })
  return {
    __typename: 'StatusCheckRollup',
    id: `ROLLUP_${pull.number}`,
    state: 'PENDING',
    contexts: (page: PageArguments) => connection(checks, page, checkView, github.nestedPage),
  }
}

function checkView({ name, app, status, conclusion, state, startedAt, completedAt }: CheckRecord) {
  if (app === null)
    return { __typename: 'StatusContext', context: name, state, createdAt: iso(completedAt ?? startedAt ?? 0) }
  return {
    __typename: 'CheckRun',
    name,
    status,
    conclusion,
    startedAt: iso(startedAt),
    completedAt: iso(completedAt),
    checkSuite: { id: `SUITE_${app}`, conclusion: 'SUCCESS', app: { slug: app, name: app }, workflowRun: null },
  }
}

/** Also of each app that has a check run. */
function suitesOf({ checks, suites, areChecksReadable }: GitHubState, { head }: PullRequestRecord): object[] {
  if (!areChecksReadable) return []
  const apps = new Set(checks.flatMap((check) => (check.head === head && check.app !== null ? [check.app] : [])))
  const ended = { status: 'COMPLETED', conclusion: 'SUCCESS', workflowRun: null }
  const own = suites.filter((suite) => suite.head === head)
  return [
    ...[...apps].map((app) => ({ id: `SUITE_${app}`, app: { slug: app }, ...ended })),
    ...own.map(({ workflow, ...suite }, position) => ({
      id: `SUITE_${position}`,
      app: { slug: workflow === null ? 'app' : 'github-actions' },
      workflowRun: workflow === null ? null : { workflow: { name: workflow } },
      ...suite,
    })),
  ]
}

/** `LabeledEvent` is LABELED_EVENT. */
const constantOf = (type: string) => type.replace(/(?<!^)(?=[A-Z])/g, '_').toUpperCase()

function timeline(github: GitHubState, item: AnyItem): { type: string; at: number; view: object }[] {
  const events = item.events.map(({ type, at, by, label }) => ({
    type,
    at,
    view: { __typename: type, createdAt: iso(at), actor: actor(by), label: { name: label ?? '' } },
  }))
  const comments = item.comments.map((comment) => ({
    type: 'IssueComment',
    at: comment.at,
    view: { __typename: 'IssueComment', ...commentView(comment) },
  }))
  const all: { type: string; at: number; view: object }[] = [...events, ...comments]
  if (item.kind === 'pull-request') {
    const pull = item as PullRequestRecord
    const at = pull.headAt ?? github.git.dateOf(pull.head)
    all.push(...pull.reviews.map((review) => ({ type: 'PullRequestReview', at: review.at, view: reviewView(review) })))
    const author = { name: pull.author, user: pull.author === null ? null : { login: pull.author } }
    const commit = { oid: pull.head, committedDate: iso(at), author }
    all.push({ type: 'PullRequestCommit', at, view: { __typename: 'PullRequestCommit', commit } })
  }
  return all.sort((a, b) => a.at - b.at)
}
