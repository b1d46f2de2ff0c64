// Steps 2, 3, 4, 8: issues, nudges, stale items and missing pull requests.
import { ago, DAY, HOUR, issue, label, mergedPullRequest, MINUTE, pullRequest, TIME } from '../../../snapshots.ts'
import { SECOND, type Case } from '../facts.ts'
import { caseOf, flags, memoryOf, listIf, product } from './product.ts'

const AGENTS = ['agent', 'plan-agent', 'docs-agent', 'enrich-agent', 'test-agent', 'refactor-agent', 'research-agent']
const ALL_AGENTS = [...AGENTS, 'security-agent']

export function* issueLabels(): Generator<Case> {
  const choices = {
    triaged: flags,
    agent: [null, ...ALL_AGENTS, 'review-agent'],
    large: flags,
    plan: flags,
    sync: flags,
    untriaged: flags,
  }
  for (const chosen of product(choices)) {
    const labels = [
      ...listIf(chosen.triaged, 'triaged'),
      ...(chosen.agent === null ? [] : [chosen.agent]),
      ...listIf(chosen.large, 'complexity:large'),
      ...listIf(chosen.plan, 'plan'),
      ...listIf(chosen.sync, 'conductor-sync'),
      ...listIf(chosen.untriaged, 'needs-triage'),
    ]
    const unlabelledPull = pullRequest({ number: 2, labels: [], verdicts: [] })
    yield caseOf('issue labels', chosen, { issues: [issue({ number: 1, labels })], pullRequests: [unlabelledPull] })
  }
}

/** Locks: numbers of issues around 3, in steps 2, 3 and 7. */
export function* bulk(): Generator<Case> {
  const choices = { none: [0, 1, 3, 4, 5], triaged: [0, 3, 4], rework: [0, 3, 4], owned: [0, 1], shared: flags }
  for (const chosen of product(choices)) {
    const numbers = (count: number, from: number): number[] =>
      Array.from({ length: count }, (_, at) => from + count - at)
    const issues = [
      ...numbers(chosen.none, 0).map((number) => issue({ number, labels: [] })),
      ...numbers(chosen.triaged, 10).map((number) => issue({ number, labels: ['triaged'] })),
      ...numbers(chosen.rework + chosen.owned, 20).map((number, at) =>
        issue({ number, labels: at < chosen.owned ? ['agent'] : ['bug'] }),
      ),
    ]
    const linked = numbers(chosen.rework + chosen.owned, 20)
    const pullRequests = linked.map((linkedIssue, at) =>
      pullRequest({
        number: 30 + at,
        labels: [label('needs-rework', ago(HOUR))],
        verdicts: [],
        linkedIssue: chosen.shared && at > 0 ? linked[0]! : linkedIssue,
        references: linked,
      }),
    )
    yield caseOf('bulk', chosen, { issues, pullRequests })
  }
}

const AROUND_NUDGE = [30 * MINUTE - SECOND, 30 * MINUTE, 30 * MINUTE + SECOND, 5 * HOUR]

export function* nudges(): Generator<Case> {
  const choices = {
    labelled: AROUND_NUDGE,
    review: [null, 'author', 'before', 'APPROVED', 'COMMENTED', 'PENDING author', 'unread'],
    reported: [undefined, 59, 60, 61, 'unreachable'] as const,
    draft: flags,
    security: [null, 'security', 'security-agent', 'security-advisory'],
    mention: [null, '@ada'],
  }
  for (const { mention, ...chosen } of product(choices)) {
    const since = ago(chosen.labelled)
    const isBefore = chosen.review === 'before'
    const isAuthor = chosen.review?.endsWith('author') === true
    const review = {
      author: isAuthor ? 'ada' : 'grace',
      state: isBefore || isAuthor ? 'COMMENTED' : (chosen.review ?? ''),
      submittedAt: isBefore ? since - SECOND : since + MINUTE,
    }
    const labels = [label('review-agent', since), ...listIf(chosen.security !== null, label(chosen.security!, since))]
    const reviews = chosen.review === 'unread' ? null : listIf(chosen.review !== null, review)
    const pull = pullRequest({ number: 7, labels, verdicts: [], reviews, isDraft: chosen.draft, createdAt: ago(DAY) })
    const { reported: age } = chosen
    const ages = age === 'unreachable' ? null : age === undefined ? {} : { 'nudge #7': age * MINUTE }
    yield caseOf('nudges', chosen, { pullRequests: [pull] }, { reported: memoryOf(TIME, ages), mention })
  }
}

const AROUND_STALE = [3 * DAY - SECOND, 3 * DAY, 3 * DAY + SECOND]

export function* staleItems(): Generator<Case> {
  const choices = {
    issues: [0, 1, 3, 6],
    pulls: [0, 2, 3],
    age: AROUND_STALE,
    reported: [0, 1, 5, 9, 'unreachable'] as const,
    draft: flags,
    mention: [null, '@ada'],
  }
  for (const { mention, ...chosen } of product(choices)) {
    const activeAt = ago(chosen.age)
    const old = { activeAt, createdAt: ago(9 * DAY) }
    const issues = Array.from({ length: chosen.issues }, (_, at) => issue({ number: 10 - at, ...old }))
    const pullRequests = Array.from({ length: chosen.pulls }, (_, at) =>
      pullRequest({ number: 20 + at, labels: [], verdicts: [], isDraft: chosen.draft, isFork: at === 1, ...old }),
    )
    const numbers = [...issues, ...pullRequests].map(({ number }) => number)
    const { reported: count } = chosen
    const ages =
      count === 'unreachable'
        ? null
        : Object.fromEntries(numbers.slice(0, count).map((number) => [`stale #${number}`, 2 * DAY]))
    yield caseOf('stale', chosen, { issues, pullRequests }, { reported: memoryOf(TIME, ages), mention })
  }
}

const AROUND_MISSING = [6 * HOUR - SECOND, 6 * HOUR, 6 * HOUR + SECOND]

export function* missingPullRequests(): Generator<Case> {
  const choices = {
    agent: [...ALL_AGENTS, 'review-agent'],
    age: AROUND_MISSING,
    newer: [null, 'agent', 'docs-agent', 'plan-agent'],
    pull: [null, 'open', 'open elsewhere', 'open unread', 'merged before', 'merged since', 'merged since unread'],
    reported: [undefined, 'same', 'other', 'unreachable'] as const,
  }
  for (const chosen of product(choices)) {
    if (chosen.newer === chosen.agent) continue
    const since = ago(chosen.age)
    const labels = [label(chosen.agent, since), ...listIf(chosen.newer !== null, label(chosen.newer!, ago(HOUR)))]
    const isUnread = chosen.pull?.endsWith('unread') === true
    const references = isUnread ? null : chosen.pull === 'open elsewhere' ? [8] : [8, 9]
    const pulls = listIf(
      chosen.pull?.startsWith('open') === true,
      pullRequest({ number: 12, labels: [], verdicts: [], references }),
    )
    const mergedAt = chosen.pull === 'merged before' ? since - SECOND : since + SECOND
    const merged = listIf(
      chosen.pull?.startsWith('merged') === true,
      mergedPullRequest({ number: 13, mergedAt, references }),
    )
    const times = { same: since, other: since - HOUR }
    const { reported } = chosen
    const ages =
      reported === 'unreachable'
        ? null
        : reported === undefined
          ? {}
          : { [`no-pull-request #9 @${times[reported]}`]: HOUR }
    const snapshot = { issues: [issue({ number: 9, labels })], pullRequests: pulls, merged }
    yield caseOf('no pull request', chosen, snapshot, { reported: memoryOf(TIME, ages) })
  }
}
