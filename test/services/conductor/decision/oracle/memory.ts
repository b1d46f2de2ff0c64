// Keys of reports after a run: "a key goes when a run that was not stopped finds its situation over".
import type { PullRequest } from '../../../../../services/conductor/snapshot/facts.ts'
import { dispatchTime, failing, isQueueBlocked, lacksPullRequest, stale } from './closing-rules.ts'
import { after, has, hasFailed, isApproved, isPending, labelTime, MINUTES } from './facts.ts'
import { openPulls, staleRework, unlinked, type View } from './view.ts'

/** Undefined: the pages do not say. */
type Fate = boolean | undefined

type Kind = (view: View, number: number, suffix: string | undefined) => Fate

const pullOf = (view: View, number: number): PullRequest | undefined =>
  openPulls(view).find((pull) => pull.number === number)

/** Over for a closed pull request and for another head, unless a second reading showed that head. */
const ofHead =
  (holds: (view: View, pull: PullRequest) => Fate): Kind =>
  (view, number, suffix) => {
    if (view.given.rereads?.[number] !== undefined) return undefined
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
    return !pull.reviews.some(({ author, submittedAt }) => author !== pull.author && submittedAt >= since)
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
  'checks-failed': ofHead((view, pull) => {
    if (hasFailed(pull)) return true
    return isPending(view.given.snapshot, pull) ? undefined : false
  }),
  'checks-failing': ofHead((view, pull) => failing(view).includes(pull) || (hasFailed(pull) ? undefined : false)),
  'no-pull-request': (view, number, suffix) => {
    const issue = view.given.snapshot.issues.find((each) => each.number === number)
    return issue !== undefined && lacksPullRequest(view, issue) && String(dispatchTime(view, issue)) === suffix
  },
  'queue-blocked': (view) => isQueueBlocked(view),
}

/** What becomes of the keys of the memory that the run began with. */
export function keysAfter(view: View): { kept: string[]; gone: string[] } {
  const keys = [...(view.given.reported?.keys() ?? [])]
  if (view.stop !== null) return { kept: keys, gone: [] }
  const fates = keys.map((key): [string, Fate] => {
    const [, kind, number, suffix] = /^(\S+)(?: #(\d+)(?: @(\S+))?)?$/.exec(key)!
    return [key, KINDS[kind!]!(view, Number(number), suffix)]
  })
  return {
    kept: fates.filter(([, fate]) => fate === true).map(([key]) => key),
    gone: fates.filter(([, fate]) => fate === false).map(([key]) => key),
  }
}
