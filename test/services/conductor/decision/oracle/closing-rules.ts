// The rules from the end of step 6 to step 10.
import type { Situation } from '../../../../../schemas/conductor/run.ts'
import {
  after,
  byNumber,
  DAYS,
  has,
  hasFailed,
  HOURS,
  labelTime,
  mayRefer,
  over,
  parentOf,
  type Item,
} from './facts.ts'
import { lines } from './lines.ts'
import { PAGE } from './page.ts'
import type { Judged } from './situations.ts'
import {
  openItems,
  openPulls,
  post,
  redispatched,
  returned,
  staleRework,
  unlinked,
  unreported,
  withLock,
  type Rule,
  type View,
} from './view.ts'

const OLD = 3 * DAYS

function failing(view: View) {
  const { snapshot, reported } = view.given
  const moves = [...view.moves, ...view.movesAfterMerge]
  const isNewHead = (number: number): boolean =>
    moves.some(({ fate, carried }) => fate === 'made' && carried.some((each) => each.number === number))
  return openPulls(view).filter((pull) => {
    const { number, head, isDraft, checks } = pull
    if (isDraft || !hasFailed(pull) || isNewHead(number)) return false
    const isWatched =
      has(pull, 'merge-ready') ||
      view.gained.some((each) => each.number === number) ||
      reported?.has(`checks-failed #${number} @${head}`) === true
    const failed = checks!.filter(({ state }) => state === 'FAILURE' || state === 'ERROR')
    return isWatched && failed.some(({ endedAt }) => endedAt !== null && over(snapshot, endedAt, 24 * HOURS))
  })
}

const BLOCKED: readonly Situation[] = ['held', 'draft', 'conflicting', 'no-approvals', 'gate']
const LEFT_THE_QUEUE: readonly Situation[] = ['changes-requested', 'checks-failed']

/** Pull requests with `merge-ready` after the table. */
export const left = ({ judged, merged }: View): Judged[] =>
  judged.filter(({ pull, situation }) => !LEFT_THE_QUEUE.includes(situation) && !merged.includes(pull))

function isBlocked(view: View, { pull, standing, situation }: Judged, above: readonly number[] = []): boolean {
  if (BLOCKED.includes(situation)) return true
  const failure = view.given.merges?.[pull.number]
  if (situation === 'eligible') return failure === 'conflict' || failure === 'gate'
  if (situation !== 'parent-open' || above.includes(pull.number)) return false
  const parent = parentOf(view.given.snapshot, { ...pull, base: standing.base })
  if (parent === undefined) return true
  const below = left(view).find((each) => each.pull.number === parent.number)
  return below !== undefined && isBlocked(view, below, [...above, pull.number])
}

export const isQueueBlocked = (view: View): boolean =>
  view.stop === null &&
  view.merged.length === 0 &&
  unreported(view).length === 0 &&
  left(view).length > 0 &&
  left(view).every((each) => isBlocked(view, each))

const stale = (view: View): Item[] =>
  openItems(view)
    .filter(({ activeAt }) => over(view.given.snapshot, activeAt, OLD))
    .toSorted(byNumber)

function staleReport(view: View): string[] {
  const { reported, mention } = view.given
  if (reported === null) return []
  const items = stale(view).map(({ number }) => number)
  const unreported = items.filter((number) => !reported.has(`stale #${number}`))
  if (unreported.length === 0) return []
  return [
    lines.post({
      step: 8,
      number: null,
      room: 'operations',
      about: 'stale',
      items: unreported,
      mention: items.length > 5 ? mention : null,
    }),
  ]
}

const DISPATCH_LABELS = ['agent', 'docs-agent', 'test-agent', 'refactor-agent', 'security-agent']

/** Time of the newest label that dispatched an agent; labels of this run are as young as the run. */
export const dispatchTime = (view: View, issue: Item): number =>
  redispatched(view).includes(issue.number)
    ? view.given.snapshot.time
    : Math.max(...DISPATCH_LABELS.map((name) => labelTime(issue, name) ?? -Infinity))

export const lacksPullRequest = (view: View, issue: Item): boolean => {
  const { snapshot } = view.given
  const since = dispatchTime(view, issue)
  return (
    Number.isFinite(since) &&
    after(snapshot, since, 6 * HOURS) &&
    !snapshot.pullRequests.some((pull) => mayRefer(pull, issue.number)) &&
    !snapshot.merged.some((merged) => merged.mergedAt >= since && mayRefer(merged, issue.number))
  )
}

const queueEnd: Rule[] = [
  {
    step: 6,
    isLate: true,
    cites: PAGE.checksFailing,
    expects: (view) =>
      failing(view).flatMap((pull) =>
        post(view, 6, pull, 'engineering', 'checks-failing', { key: `checks-failing #${pull.number} @${pull.head}` }),
      ),
  },
  {
    step: 6,
    isLate: true,
    cites: PAGE.queueBlocked,
    expects: (view) => {
      const { reported } = view.given
      if (!isQueueBlocked(view) || reported === null || reported.has('queue-blocked')) return []
      const about = 'queue-blocked'
      return [lines.post({ step: 6, number: null, room: 'engineering', about, key: about, mention: null })]
    },
  },
]

const itemSteps: Rule[] = [
  {
    step: 7,
    isLate: true,
    cites: PAGE.rework,
    expects: (view) => [
      ...redispatched(view).map((number) => lines.label(7, 'add-label', number, 'agent')),
      ...returned(view).map(({ number }) => lines.label(7, 'remove-label', number, 'needs-rework')),
    ],
  },
  { step: 7, isLate: true, cites: PAGE.lock, expects: (view) => withLock(7, redispatched(view).length) },
  {
    step: 7,
    isLate: true,
    cites: PAGE.noLinkedIssue,
    expects: (view) =>
      unlinked(view).flatMap((pull) =>
        post(view, 7, pull, 'operations', 'no-linked-issue', { key: `no-linked-issue #${pull.number}` }),
      ),
  },
  {
    step: 7,
    isLate: true,
    cites: PAGE.reworkStale,
    expects: (view) =>
      staleRework(view).flatMap((pull) =>
        post(view, 7, pull, 'engineering', 'rework-stale', { key: `rework-stale #${pull.number}` }),
      ),
  },
  { step: 8, isLate: true, cites: PAGE.stale, expects: staleReport },
  {
    step: 8,
    isLate: true,
    cites: PAGE.noPullRequest,
    expects: (view) =>
      view.given.snapshot.issues
        .filter((issue) => lacksPullRequest(view, issue))
        .flatMap((issue) =>
          post(view, 8, issue, 'engineering', 'no-pull-request', {
            key: `no-pull-request #${issue.number} @${dispatchTime(view, issue)}`,
          }),
        ),
  },
]

const synced: Rule = {
  step: 10,
  cites: PAGE.memory,
  expects: (view) =>
    openItems(view)
      .filter((item) => has(item, 'conductor-sync'))
      .map(({ number }) => lines.label(10, 'remove-label', number, 'conductor-sync')),
}

/** From the end of step 6; the rule of step 9 needs the lines of all others and is in statement.ts. */
export const CLOSING_RULES: readonly Rule[] = [...queueEnd, ...itemSteps, synced]

export { failing, stale }
