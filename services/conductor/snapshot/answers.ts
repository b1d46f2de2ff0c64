// Shapes of the answers to the queries. Other fields are ignored.
import * as Type from 'typebox'
import { nullableText, orNull } from '../../../schemas/shapes.ts'
import { valueCheck } from '../../../schemas/validation/fields.ts'
import { ForgeFault } from '../../../platform/forge/forge.ts'

const when = Type.String({ format: 'date-time' })
const maybeWhen = orNull(when)
const text = Type.String()
const bool = Type.Boolean()
const number = Type.Integer({ minimum: 1 })
const commitId = Type.String({ pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$' })
/** Chosen by the author, so it may be no date at all, such as one of the year 10000. */
const claimedDate = text

export const Actor = orNull(Type.Object({ __typename: text, login: text }))
export type Actor = Type.Static<typeof Actor>

/** A next page without a cursor is refused. */
const Forward = Type.Union([
  Type.Object({ hasNextPage: Type.Literal(false) }),
  Type.Object({ hasNextPage: Type.Literal(true), endCursor: text }),
])
const Backward = Type.Union([
  Type.Object({ hasPreviousPage: Type.Literal(false) }),
  Type.Object({ hasPreviousPage: Type.Literal(true), startCursor: text }),
])
const forward = <T extends Type.TSchema>(node: T) => Type.Object({ pageInfo: Forward, nodes: Type.Array(node) })
const backward = <T extends Type.TSchema>(node: T) => Type.Object({ pageInfo: Backward, nodes: Type.Array(node) })

const Label = Type.Object({ name: text })
const Labelled = Type.Object({ createdAt: when, label: Label })
const Activity = Type.Object({
  __typename: text,
  createdAt: Type.Optional(when),
  submittedAt: Type.Optional(maybeWhen),
  actor: Type.Optional(Actor),
  author: Type.Optional(Actor),
  commit: Type.Optional(
    Type.Object({
      committedDate: claimedDate,
      author: orNull(Type.Object({ name: nullableText, user: orNull(Type.Object({ login: text })) })),
    }),
  ),
})
export type Activity = Type.Static<typeof Activity>
const Review = Type.Object({ state: text, submittedAt: maybeWhen, author: Actor })
export type ReviewAnswer = Type.Static<typeof Review>
const Reference = Type.Object({ number, state: text, repository: Type.Object({ nameWithOwner: text }) })
export type Reference = Type.Static<typeof Reference>
const Comment = Type.Object({ createdAt: when, viewerDidAuthor: bool, body: text })
export type CommentAnswer = Type.Static<typeof Comment>
const CheckRun = Type.Object({
  __typename: Type.Literal('CheckRun'),
  name: text,
  status: text,
  conclusion: nullableText,
  startedAt: maybeWhen,
  completedAt: maybeWhen,
  checkSuite: Type.Object({
    id: text,
    conclusion: nullableText,
    app: orNull(Type.Object({ slug: text })),
    workflowRun: orNull(Type.Object({ event: text, workflow: Type.Object({ id: text }) })),
  }),
})
const StatusContext = Type.Object({
  __typename: Type.Literal('StatusContext'),
  context: text,
  state: text,
  createdAt: when,
})
const CheckAnswer = Type.Union([CheckRun, StatusContext])
export type CheckAnswer = Type.Static<typeof CheckAnswer>
const CheckSuite = Type.Object({
  id: text,
  status: text,
  conclusion: nullableText,
  app: orNull(Type.Object({ slug: text })),
  workflowRun: orNull(Type.Object({ workflow: Type.Object({ name: text }) })),
})
export type SuiteAnswer = Type.Static<typeof CheckSuite>

export const LISTS = {
  labels: forward(Label),
  labelled: backward(Labelled),
  issueActivity: backward(Activity),
  activity: backward(Activity),
  opinions: forward(Review),
  reviews: backward(Review),
  references: forward(Reference),
  comments: backward(Comment),
  checks: forward(CheckAnswer),
  suites: forward(CheckSuite),
}
type Lists = typeof LISTS
export type ListOf<Name extends keyof Lists> = Type.Static<Lists[Name]>
export type NodeOf<Name extends keyof Lists> = ListOf<Name>['nodes'][number]

const shared = {
  id: text,
  number,
  title: text,
  createdAt: when,
  lastEditedAt: maybeWhen,
  editor: Actor,
  author: Actor,
  labels: LISTS.labels,
  labelled: LISTS.labelled,
  activity: LISTS.activity,
}
const IssueAnswer = Type.Object(shared)
export type IssueAnswer = Type.Static<typeof IssueAnswer>

const Commit = Type.Object({
  id: text,
  oid: commitId,
  committedDate: claimedDate,
  statusCheckRollup: orNull(Type.Object({ id: text, contexts: LISTS.checks })),
  suites: LISTS.suites,
})
/** `baseRef` null: the branch is gone. */
const base = {
  baseRefName: text,
  baseRefOid: commitId,
  baseRef: orNull(Type.Object({ target: orNull(Type.Object({ oid: commitId })) })),
}
const PullRequestAnswer = Type.Object({
  ...shared,
  body: text,
  state: Type.Enum(['OPEN', 'CLOSED', 'MERGED']),
  isDraft: bool,
  isCrossRepository: bool,
  headRefName: text,
  headRefOid: commitId,
  ...base,
  mergeable: Type.Enum(['MERGEABLE', 'CONFLICTING', 'UNKNOWN']),
  mergeStateStatus: Type.Enum(['BEHIND', 'BLOCKED', 'CLEAN', 'DIRTY', 'DRAFT', 'HAS_HOOKS', 'UNKNOWN', 'UNSTABLE']),
  autoMergeRequest: orNull(Type.Object({})),
  isInMergeQueue: bool,
  commits: Type.Object({ nodes: Type.Array(Type.Object({ commit: Commit }), { maxItems: 1 }) }),
  opinions: LISTS.opinions,
  reviews: LISTS.reviews,
  references: LISTS.references,
})
export type PullRequestAnswer = Type.Static<typeof PullRequestAnswer>

const MergedAnswer = Type.Object({
  id: text,
  number,
  title: text,
  body: text,
  headRefName: text,
  headRefOid: commitId,
  ...base,
  isCrossRepository: bool,
  mergedAt: when,
  references: LISTS.references,
})
export type MergedAnswer = Type.Static<typeof MergedAnswer>

const rateLimit = Type.Optional(orNull(Type.Object({ cost: Type.Integer(), remaining: Type.Integer() })))
/** Undefined or null: the forge does not say. */
export type Cost = { cost: number; remaining: number } | null | undefined

const IssuesPage = Type.Object({ rateLimit, repository: Type.Object({ list: forward(IssueAnswer) }) })
const PullRequestsPage = Type.Object({
  rateLimit,
  repository: Type.Object({
    nameWithOwner: text,
    isPrivate: bool,
    squashMergeAllowed: bool,
    defaultBranchRef: orNull(Type.Object({ name: text })),
    list: forward(PullRequestAnswer),
  }),
})
const MergedPage = Type.Object({
  rateLimit,
  repository: Type.Object({ list: Type.Object({ nodes: Type.Array(MergedAnswer) }) }),
})
const OnePullRequest = Type.Object({
  rateLimit,
  repository: Type.Object({ nameWithOwner: text, isPrivate: bool, pullRequest: PullRequestAnswer }),
})
const CommentsPage = Type.Object({
  rateLimit,
  nodes: Type.Array(Type.Object({ id: text, comments: LISTS.comments })),
})
const nested = <T extends Type.TSchema>(list: T) => Type.Object({ rateLimit, node: Type.Object({ list }) })

/** Returns a function that returns a valid answer with its type and throws `forge-unreadable` for others. */
export function answer<T extends Type.TSchema>(schema: T, name: string): (value: unknown) => Type.Static<T> {
  const check = valueCheck(schema, 'the answer')
  return (value) => {
    const [error] = check(value)
    if (!error) return value as Type.Static<T>
    throw new ForgeFault(
      'forge-unreadable',
      `the forge's answer to the query of ${name} has an unexpected format: ${error.path} ${error.message}; check SVC_FORGE_API_URL`,
    )
  }
}

export const issuesPage = answer(IssuesPage, 'issues')
export const pullRequestsPage = answer(PullRequestsPage, 'pull requests')
export type PullRequestsPage = ReturnType<typeof pullRequestsPage>
export const mergedPage = answer(MergedPage, 'merged pull requests')
export const onePullRequest = answer(OnePullRequest, 'a pull request')
export const commentsPage = answer(CommentsPage, 'comments')
export const nestedPages = {
  labels: answer(nested(LISTS.labels), 'labels'),
  labelled: answer(nested(LISTS.labelled), 'label events'),
  issueActivity: answer(nested(LISTS.issueActivity), 'events'),
  activity: answer(nested(LISTS.activity), 'events'),
  opinions: answer(nested(LISTS.opinions), 'reviews'),
  reviews: answer(nested(LISTS.reviews), 'reviews'),
  references: answer(nested(LISTS.references), 'references'),
  comments: answer(nested(LISTS.comments), 'comments'),
  checks: answer(nested(LISTS.checks), 'checks'),
  suites: answer(nested(LISTS.suites), 'check suites'),
}
