// Keys of reports after a run: "a key goes when a run that was not stopped finds its situation over".
import type { PullRequest } from '../../../../../services/conductor/snapshot/facts.ts'
import { dispatchTime, failing, isQueueBlocked, lacksPullRequest, left, stale } from './closing-rules.ts'
import {
  after,
  has,
  hasFailed,
  isAgeRelevant,
  isApproved,
  isPending,
  labelTime,
  lacksReview,
  MINUTES,
} from './facts.ts'
import { openPulls, staleRework, unlinked, type View } from './view.ts'

/** Undefined: the pages do not say. */
type Fate = boolean | undefined

type Kind = (view: View, number: number, suffix: string | undefined) => Fate

const pullOf = (view: View, number: number): PullRequest | undefined =>
  openPulls(view).find((pull) => pull.number === number)

/** Over for a closed pull request and for another head. */
const ofHead =
  (holds: (view: View, pull: PullRequest) => Fate): Kind =>
  (view, number, suffix) => {
    const pull = pullOf(view, number)
    return pull === undefined || pull.head !== suffix ? false : holds(view, pull)
  }

const ofPull =
  (holds: (view: View, pull: PullRequest) => Fate): Kind =>
  (view, number) => {
    const pull = pullOf(view, number)
    return pull === undefined ? false : holds(view, pull)
  }

const isJudged = (view: View, { number }: PullRequest, situation: string): boolean =>
  view.judged.some((each) => each.pull.number === number && each.situation === situation)

const KINDS: Record<string, Kind> = {
  nudge: (view, number) => {
    const { snapshot, reported } = view.given
    // "At most once per hour per item", even if the situation ended meanwhile.
    if (!after(snapshot, reported!.get(`nudge #${number}`)!, 60 * MINUTES)) return true
    const pull = pullOf(view, number)
    const since = pull === undefined ? undefined : labelTime(pull, 'review-agent')
    if (pull === undefined || since === undefined || pull.isDraft) return false
    if (!after(snapshot, since, 30 * MINUTES)) return undefined
    return lacksReview(pull, since)
  },
  stale: (view, number) => stale(view).some((item) => item.number === number),
  'review-needed': ofPull((view, pull) => {
    if (isJudged(view, pull, 'no-approvals')) return true
    return !isApproved(pull) && has(pull, 'merge-ready') ? undefined : false
  }),
  'no-linked-issue': ofPull((view, pull) => {
    if (unlinked(view).includes(pull)) return true
    return has(pull, 'needs-rework') && pull.linkedIssue === null ? undefined : false
  }),
  'rework-stale': ofPull((view, pull) => staleRework(view).includes(pull)),
  gate: ofHead((view, pull) => isJudged(view, pull, 'gate') || undefined),
  'gate-stop': ofHead((view, pull) => isJudged(view, pull, 'gate') || undefined),
  /** A head counts as seen as long as it is in the queue. */
  seen: ofHead((view, pull) => left(view).some((each) => each.pull === pull && !each.standing.isMade)),
  'checks-failed': ofHead((view, pull) => {
    if (hasFailed(pull)) return true
    return isPending(view.given, pull) ? undefined : false
  }),
  'checks-failing': ofHead((view, pull) => failing(view).includes(pull) || (hasFailed(pull) ? undefined : false)),
  'no-pull-request': (view, number, suffix) => {
    const issue = view.given.snapshot.issues.find((each) => each.number === number)
    return issue !== undefined && lacksPullRequest(view, issue) && String(dispatchTime(view, issue)) === suffix
  },
  'queue-blocked': (view) => isQueueBlocked(view),
}

/** Heads of the queue that this run is the first to find; `unsaid`: of a head that it made the name is not known. */
function firstSeen(view: View): { seen: string[]; unsaid: number[] } {
  const found = left(view).filter(({ pull }) => isAgeRelevant(pull))
  const seen = found
    .filter(({ standing }) => !standing.isMade)
    .map(({ pull: { number, head } }) => `seen #${number} @${head}`)
    .filter((key) => !view.given.reported!.has(key))
  return { seen, unsaid: found.flatMap(({ pull, standing }) => (standing.isMade ? pull.number : [])) }
}

interface Keys {
  /** Of the memory that the run began with. */
  kept: string[]
  /** Heads that are found first. */
  seen: string[]
  /** Keys of which the pages say nothing. One that ends with `@` is the beginning of a key. */
  unsaid: string[]
}

/** Keys after the run, without those of its messages. */
export function keysAfter(view: View): Keys {
  const keys = [...(view.given.reported?.keys() ?? [])]
  const { seen, unsaid } = firstSeen(view)
  const made = unsaid.map((number) => `seen #${number} @`)
  if (view.stop !== null) return { kept: keys, seen, unsaid: made }
  const fates = keys.map((key): [string, Fate] => {
    const [, kind, number, suffix] = /^(\S+)(?: #(\d+)(?: @(\S+))?)?$/.exec(key)!
    return [key, KINDS[kind!]!(view, Number(number), suffix)]
  })
  const of = (wanted: Fate): string[] => fates.filter(([, fate]) => fate === wanted).map(([key]) => key)
  return { kept: of(true), seen, unsaid: [...of(undefined), ...made] }
}
