// The text of each query, and of the lists inside an item that may have more pages.

export interface NestedList {
  /** GraphQL type with the list. */
  on: readonly ('Issue' | 'PullRequest' | 'Commit' | 'StatusCheckRollup')[]
  /** The field with its arguments; `PAGE` is replaced by the page. */
  field: string
  nodes: string
  /** Newest entries first, page by page. */
  isBackward: boolean
}

const ACTOR = '{ __typename login }'
const EVENT = `createdAt actor ${ACTOR}`
const ISSUE_EVENTS = ['LABELED_EVENT', 'UNLABELED_EVENT', 'ASSIGNED_EVENT', 'REOPENED_EVENT', 'ISSUE_COMMENT']
const PULL_REQUEST_EVENTS = [
  ...ISSUE_EVENTS,
  'PULL_REQUEST_REVIEW',
  'PULL_REQUEST_COMMIT',
  'HEAD_REF_FORCE_PUSHED_EVENT',
  'READY_FOR_REVIEW_EVENT',
]
const activity = (events: readonly string[]) => `timelineItems(PAGE, itemTypes: [${events.join(', ')}])`
const ISSUE_ACTIVITY = `__typename
  ... on LabeledEvent { ${EVENT} }
  ... on UnlabeledEvent { ${EVENT} }
  ... on AssignedEvent { ${EVENT} }
  ... on ReopenedEvent { ${EVENT} }
  ... on IssueComment { createdAt author ${ACTOR} }`
const PULL_REQUEST_ACTIVITY = `${ISSUE_ACTIVITY}
  ... on PullRequestReview { submittedAt author ${ACTOR} }
  ... on PullRequestCommit { commit { committedDate author { name user { login } } } }
  ... on HeadRefForcePushedEvent { ${EVENT} }
  ... on ReadyForReviewEvent { ${EVENT} }`

const REVIEW = `state submittedAt author ${ACTOR}`
const ITEM = ['Issue', 'PullRequest'] as const

export const NESTED = {
  labels: { on: ITEM, field: 'labels(PAGE)', nodes: 'name', isBackward: false },
  labelled: {
    on: ITEM,
    field: 'timelineItems(PAGE, itemTypes: [LABELED_EVENT])',
    nodes: '... on LabeledEvent { createdAt label { name } }',
    isBackward: true,
  },
  issueActivity: { on: ['Issue'], field: activity(ISSUE_EVENTS), nodes: ISSUE_ACTIVITY, isBackward: true },
  activity: {
    on: ['PullRequest'],
    field: activity(PULL_REQUEST_EVENTS),
    nodes: PULL_REQUEST_ACTIVITY,
    isBackward: true,
  },
  opinions: {
    on: ['PullRequest'],
    field: 'latestOpinionatedReviews(PAGE, writersOnly: true)',
    nodes: REVIEW,
    isBackward: false,
  },
  reviews: { on: ['PullRequest'], field: 'reviews(PAGE)', nodes: REVIEW, isBackward: true },
  references: {
    on: ['PullRequest'],
    field: 'closingIssuesReferences(PAGE)',
    nodes: 'number state repository { nameWithOwner }',
    isBackward: false,
  },
  comments: { on: ['PullRequest'], field: 'comments(PAGE)', nodes: 'createdAt viewerDidAuthor body', isBackward: true },
  checks: {
    on: ['StatusCheckRollup'],
    field: 'contexts(PAGE)',
    nodes: `__typename
      ... on CheckRun {
        name status conclusion startedAt completedAt
        checkSuite { id conclusion app { slug } workflowRun { event workflow { id } } }
      }
      ... on StatusContext { context state createdAt }`,
    isBackward: false,
  },
  suites: {
    on: ['Commit'],
    field: 'checkSuites(PAGE)',
    nodes: 'id status conclusion app { slug } workflowRun { workflow { name } }',
    isBackward: false,
  },
} as const satisfies Record<string, NestedList>
export type NestedName = keyof typeof NESTED

/** A page of a list; `size`: entries. */
function list({ field, nodes, isBackward }: NestedList, size: number, cursor = false): string {
  const position = cursor ? (isBackward ? ', before: $cursor' : ', after: $cursor') : ''
  const page = `${isBackward ? 'last' : 'first'}: ${size}${position}`
  const pageInfo = isBackward ? 'hasPreviousPage startCursor' : 'hasNextPage endCursor'
  return `${field.replace('PAGE', page)} { pageInfo { ${pageInfo} } nodes { ${nodes} } }`
}

const NESTED_PAGE = 100

/** Reads one nested list on, by the id of its owner. */
export function nestedQuery(name: NestedName): string {
  const nested: NestedList = NESTED[name]
  const owners = nested.on.map((type) => `... on ${type} { list: ${list(nested, NESTED_PAGE, true)} }`)
  return `query Nested($id: ID!, $cursor: String) { rateLimit { cost remaining } node(id: $id) { ${owners.join(' ')} } }`
}

const SHARED = `id number title createdAt lastEditedAt editor ${ACTOR} author ${ACTOR}
  labels: ${list(NESTED.labels, 100)}
  labelled: ${list(NESTED.labelled, 50)}`

const BASE = 'baseRefName baseRefOid baseRef { target { oid } }'

const PULL_REQUEST = `${SHARED}
  activity: ${list(NESTED.activity, 20)}
  body state isDraft isCrossRepository headRefName headRefOid ${BASE}
  mergeable mergeStateStatus autoMergeRequest { enabledAt } isInMergeQueue
  commits(last: 1) { nodes { commit {
    id oid committedDate statusCheckRollup { id contexts: ${list(NESTED.checks, 100)} }
    suites: ${list(NESTED.suites, 50)}
  } } }
  opinions: ${list(NESTED.opinions, 30)}
  reviews: ${list(NESTED.reviews, 30)}
  references: ${list(NESTED.references, 20)}`

/** Git and later runs would go on with the old name of a renamed repository, which another may take. */
const REPOSITORY = 'repository(owner: $owner, name: $name, followRenames: false)'
const PAGES = '$owner: String!, $name: String!, $cursor: String'
const NEXT = 'pageInfo { hasNextPage endCursor }'
const COST = 'rateLimit { cost remaining }'

export const ISSUES = `query Issues(${PAGES}) {
  ${COST}
  ${REPOSITORY} {
    list: issues(states: [OPEN], first: 100, after: $cursor, orderBy: { field: CREATED_AT, direction: ASC }) {
      ${NEXT}
      nodes { ${SHARED} activity: ${list(NESTED.issueActivity, 20)} }
    }
  }
}`

export const PULL_REQUESTS = `query PullRequests(${PAGES}) {
  ${COST}
  ${REPOSITORY} {
    nameWithOwner isPrivate squashMergeAllowed defaultBranchRef { name }
    list: pullRequests(states: [OPEN], first: 50, after: $cursor, orderBy: { field: CREATED_AT, direction: ASC }) {
      ${NEXT}
      nodes { ${PULL_REQUEST} }
    }
  }
}`

export const MERGED = `query Merged($owner: String!, $name: String!) {
  ${COST}
  ${REPOSITORY} {
    list: pullRequests(states: [MERGED], first: 100, orderBy: { field: UPDATED_AT, direction: DESC }) {
      nodes {
        id number title body headRefName headRefOid ${BASE} isCrossRepository mergedAt
        references: ${list(NESTED.references, 20)}
      }
    }
  }
}`

export const ONE_PULL_REQUEST = `query PullRequest($owner: String!, $name: String!, $number: Int!) {
  ${COST}
  ${REPOSITORY} { nameWithOwner isPrivate pullRequest(number: $number) { ${PULL_REQUEST} } }
}`

/** Comments of up to 100 pull requests: a few each, because a comment may be long. */
export const COMMENTS = `query Comments($ids: [ID!]!) {
  ${COST}
  nodes(ids: $ids) { ... on PullRequest { id comments: ${list(NESTED.comments, 10)} } }
}`
