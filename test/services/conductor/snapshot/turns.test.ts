// Long work on answers yields to the event loop: without that, no turn of the loop passes until it is done.
import { expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { Forge } from '../../../../platform/forge/forge.ts'
import type { CheckAnswer, IssueAnswer, PullRequestAnswer } from '../../../../services/conductor/snapshot/answers.ts'
import { issueOf } from '../../../../services/conductor/snapshot/issues.ts'
import {
  mergedOf,
  pullRequestOf,
  type PullRequestWorld,
} from '../../../../services/conductor/snapshot/pull-requests.ts'
import { readReportedHeads } from '../../../../services/conductor/snapshot/reported-heads.ts'
import { never } from './shop.ts'

const AT = '2026-05-01T10:00:00Z'
const HEAD = 'a'.repeat(40)
const ada = { __typename: 'User', login: 'ada' }
const newest = <T>(...nodes: T[]) => ({ pageInfo: { hasPreviousPage: false as const }, nodes })
const first = <T>(...nodes: T[]) => ({ pageInfo: { hasNextPage: false as const }, nodes })
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

const check = (n: number): CheckAnswer => ({
  __typename: 'CheckRun',
  name: `check ${n}`,
  status: 'COMPLETED',
  conclusion: 'SUCCESS',
  startedAt: AT,
  completedAt: AT,
  checkSuite: { id: 's1', conclusion: null, app: { slug: 'ci' }, workflowRun: null },
})

const issue: IssueAnswer = {
  id: 'ITEM_1',
  number: 1,
  title: 'Item 1',
  createdAt: AT,
  lastEditedAt: null,
  editor: null,
  author: ada,
  labels: first(),
  labelled: newest(),
  activity: newest(),
}

const pull: PullRequestAnswer = {
  ...issue,
  body: '',
  state: 'OPEN',
  isDraft: false,
  isCrossRepository: false,
  headRefName: 'fix',
  headRefOid: HEAD,
  baseRefName: 'main',
  baseRefOid: HEAD,
  baseRef: null,
  mergeable: 'MERGEABLE',
  mergeStateStatus: 'CLEAN',
  autoMergeRequest: null,
  isInMergeQueue: false,
  commits: {
    nodes: [{ commit: { id: 'C1', oid: HEAD, committedDate: AT, statusCheckRollup: null, suites: first() } }],
  },
  opinions: first(),
  reviews: newest(),
  references: first(),
}
const { commit } = pull.commits.nodes[0]!
const checked: PullRequestAnswer = {
  ...pull,
  labels: first({ name: 'merge-ready' }),
  commits: {
    nodes: [{ commit: { ...commit, statusCheckRollup: { id: 'R1', contexts: first(...many(500, check)) } } }],
  },
}
const labels = many(100, (n) => ({ name: `label ${n}` }))
const labelled: IssueAnswer = {
  ...issue,
  labels: first(...labels),
  labelled: newest(...labels.map((label) => ({ createdAt: AT, label }))),
}
const merged = { ...pull, mergedAt: AT, body: '- fixes **#7**, `code` and [text](https://shop.example)\n'.repeat(500) }

const world: PullRequestWorld = {
  forge: new Forge({ url: 'http://127.0.0.1:1', token: null, clock: new TestClock() }),
  call: { signal: never },
  noteCost: () => undefined,
  time: Date.parse(AT),
  repository: 'acme/shop',
  reviewers: new Set(),
  openIssues: new Set(),
  checkAccess: { isGranted: async () => true },
}

/** Turns of the event loop until the work is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isDone = true
  return turns
}

test.each([
  ['bodies', () => Promise.all(many(100, () => mergedOf(world, merged)))],
  ['checks', () => Promise.all(many(200, () => pullRequestOf(world, checked, [])))],
  [
    'checks for reports',
    () =>
      readReportedHeads(
        world,
        many(200, () => checked),
      ),
  ],
  ['labels', () => Promise.all(many(500, () => issueOf(world, labelled)))],
])('yields while it reads %s', async (_what, work) => {
  expect(await turnsOf(work)).toBeGreaterThan(3)
})
