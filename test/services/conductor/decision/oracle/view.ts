// What a rule may look at, and helpers that several rules share.
import type { RoomName, Subject } from '../../../../../schemas/conductor/run.ts'
import type { Issue, MergedPullRequest, PullRequest } from '../../../../../services/conductor/snapshot/facts.ts'
import { DAYS, has, isSecurity, labelTime, MINUTES, over, type Case, type Item } from './facts.ts'
import { lines } from './lines.ts'
import type { Queue } from './situations.ts'

export interface View extends Queue {
  given: Case
}

export interface Rule {
  step: number
  /** Left out if the run stops before it. */
  isLate?: boolean
  cites: string
  expects: (view: View) => string[]
}

/** Pull requests that are open after step 6, as they were read last. */
export const openPulls = ({ given: { snapshot, rereads }, merged, read }: View): PullRequest[] =>
  snapshot.pullRequests
    .filter(({ number }) => !merged.some((each) => each.number === number))
    .flatMap((pull) => (read.includes(pull.number) ? (rereads![pull.number] ?? []) : pull))
export const openItems = (view: View): Item[] => [...view.given.snapshot.issues, ...openPulls(view)]

interface PostOptions {
  /** Of a message that is sent once. */
  key?: string
  mentions?: boolean
}

/** "Engineering post on an item labelled `security`, `security-agent`, `security-advisory`". */
export function post(
  { given: { mention, reported } }: View,
  step: number,
  item: Item,
  room: RoomName,
  about: Subject,
  { key, mentions = false }: PostOptions = {},
): string[] {
  if (key !== undefined && (reported === null || reported.has(key))) return []
  const isForPerson = mentions || (room === 'engineering' && isSecurity(item))
  return [lines.post({ step, number: item.number, room, about, key, mention: isForPerson ? mention : null })]
}

export const withLock = (step: number, changed: number): string[] =>
  changed > 3 ? [lines.lock(step, 'lock'), lines.lock(step, 'unlock')] : []

const AGENT_LABELS = [
  'agent',
  'plan-agent',
  'docs-agent',
  'enrich-agent',
  'test-agent',
  'refactor-agent',
  'research-agent',
  'security-agent',
]

export const unlabelled = ({ given: { snapshot } }: View): Issue[] =>
  snapshot.issues.filter(({ labels }) => labels.length === 0)

export const dispatched = ({ given: { snapshot } }: View): Issue[] =>
  snapshot.issues.filter(
    (issue) =>
      has(issue, 'triaged') && !has(issue, ...AGENT_LABELS) && (!has(issue, 'complexity:large') || has(issue, 'plan')),
  )

/** Pull requests of step 7 whose label has aged, without drafts. */
const reworked = (view: View): PullRequest[] =>
  openPulls(view).filter((pull) => {
    const since = labelTime(pull, 'needs-rework')
    return !pull.isDraft && since !== undefined && over(view.given.snapshot, since, 15 * MINUTES)
  })

export const returned = (view: View): PullRequest[] => reworked(view).filter(({ linkedIssue }) => linkedIssue !== null)
export const unlinked = (view: View): PullRequest[] =>
  reworked(view).filter(({ linkedIssue, references }) => linkedIssue === null && references !== null)

/** "`needs-rework` over 3 days without activity", of what step 7 leaves labelled. No drafts. */
export const staleRework = (view: View): PullRequest[] =>
  openPulls(view).filter((pull) => {
    const since = labelTime(pull, 'needs-rework')
    if (since === undefined || pull.isDraft || returned(view).includes(pull)) return false
    return [since, pull.activeAt].every((time) => over(view.given.snapshot, time, 3 * DAYS))
  })

/** The number of the merge whose dependent conflicts in step 1, if it is that of an intent: later intents stay. */
export function lastResumed({ given: { intents }, moves }: View): number {
  const merged = moves.find(({ fate }) => fate === 'conflict')?.merged
  const isIntended = intents.some(({ number, head }) => number === merged?.number && head === merged.head)
  return isIntended ? merged!.number : Infinity
}

function resumedIf(view: View, holds: (isReported: boolean) => boolean): MergedPullRequest[] {
  const { snapshot, intents } = view.given
  const last = lastResumed(view)
  return snapshot.merged.filter(({ number, head }) =>
    intents.some(
      ({ isReported = false, ...intent }) =>
        number <= last && intent.number === number && intent.head === head && holds(isReported),
    ),
  )
}

/** Merges of an earlier run that a crash or an error interrupted. */
export const resumed = (view: View): MergedPullRequest[] => resumedIf(view, () => true)

/** Those that no message and no digest has told. */
export const unreported = (view: View): MergedPullRequest[] => resumedIf(view, (isReported) => !isReported)

/** Numbers of the issues that step 7 gives the label `agent`. */
export function redispatched(view: View): number[] {
  const owners = view.given.snapshot.issues.filter((issue) => has(issue, 'agent') || dispatched(view).includes(issue))
  const linked = returned(view).map(({ linkedIssue }) => linkedIssue!)
  return [...new Set(linked)].filter((number) => !owners.some((issue) => issue.number === number))
}
