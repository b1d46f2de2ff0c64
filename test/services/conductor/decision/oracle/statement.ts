// The whole answer that the pages expect for a case.
import type {
  ConductorCounts,
  Health,
  JudgedRule,
  Rule as RuleName,
  Situation,
} from '../../../../../schemas/conductor/run.ts'
import type { PullRequest } from '../../../../../services/conductor/snapshot/facts.ts'
import { CLOSING_RULES, isQueueBlocked } from './closing-rules.ts'
import { digestOf, type ExpectedDigest } from './digest.ts'
import {
  has,
  hasFailed,
  isApproved,
  isBlockedYoung,
  isGated,
  isPending,
  isTrunk,
  type Case,
  type Item,
  type MergeFailure,
} from './facts.ts'
import { lines } from './lines.ts'
import { PAGE } from './page.ts'
import { QUEUE_RULES } from './rules.ts'
import { queueOf, standingOf, type Standing } from './situations.ts'
import { openIntents } from './unfinished.ts'
import { openPulls, type View } from './view.ts'

export interface Expected {
  line: string
  cites: string
}

export interface Statement {
  view: View
  expected: readonly Expected[]
  status: 'done' | 'stopped'
  health: Health
  stop: { step: number; number: number } | null
  counts: ConductorCounts
  /** Null: none is posted. */
  digest: ExpectedDigest | null
  /** Merges that the next run must finish, by number: whether they are reported. */
  intents: ReadonlyMap<number, boolean>
}

/** Steps that change labels which are counted. */
const STEPS = [2, 5, 6, 7]

function applies(step: number, isLate: boolean, stop: Statement['stop']): boolean {
  if (stop === null || step > 8) return true
  return !isLate && step <= stop.step
}

/** No label is both added to and removed from an item in one run. */
function countsAfter(view: View, written: ReadonlySet<string>): ConductorCounts {
  const pulls = openPulls(view)
  // The forge no longer has a label of step 5 if a later reading is without it.
  const isRead = (number: number): boolean => view.read.includes(number)
  const isWritten = (action: 'add-label' | 'remove-label', { number }: Item, label: string): boolean =>
    STEPS.some((step) => written.has(lines.label(step, action, number, label)) && !(step === 5 && isRead(number)))
  const count = (items: readonly Item[], label: string): number =>
    items.filter((item) =>
      has(item, label) ? !isWritten('remove-label', item, label) : isWritten('add-label', item, label),
    ).length
  return {
    needs_triage: count(view.given.snapshot.issues, 'needs-triage'),
    merge_queue: count(pulls, 'merge-ready'),
    in_review: count(pulls, 'review-agent'),
    needs_rework: count(pulls, 'needs-rework'),
    active_branches: new Set(pulls.filter(({ isFork }) => !isFork).map(({ branch }) => branch)).size,
  }
}

/** "`degraded` when something could not be read or done": a lease that fails and a refused merge are none. */
function healthOf(view: View, written: ReadonlySet<string>): Health {
  if (view.stop !== null || isQueueBlocked(view)) return 'blocked'
  const { reported, merges = {}, deletions = {}, announcements = {} } = view.given
  const hasErrors = [...view.moves, ...view.movesAfterMerge].some(({ fate }) => fate === 'error')
  const hasFailures = [...written].some((line) => {
    const [, action, number] = / (merge|delete-branch|post) #(\d+)/.exec(line) ?? []
    if (action === 'merge') return merges[Number(number)] === 'error'
    if (action === 'delete-branch') return deletions[Number(number)] === 'error'
    return / (operations merged|engineering gate) ?/.test(line) && announcements[Number(number)] !== undefined
  })
  return reported === null || hasErrors || hasFailures ? 'degraded' : 'ok'
}

export function statementOf(given: Case): Statement {
  const view: View = { given, ...queueOf(given) }
  const { stop } = view
  const expected = [...QUEUE_RULES, ...CLOSING_RULES]
    .filter(({ step, isLate = false }) => applies(step, isLate, stop))
    .flatMap(({ cites, expects }) => expects(view).map((line) => ({ line, cites })))
  const written = new Set(expected.map(({ line }) => line))
  const counts = countsAfter(view, written)
  const digest = digestOf(view, [...written], counts)
  if (digest !== null) {
    const line = lines.post({ step: 9, number: null, room: 'operations', about: 'digest', mention: null })
    expected.push({ line, cites: PAGE.digest })
  }
  // Without memory there is nothing to keep a record in.
  if (given.reported !== null) expected.push({ line: lines.remember(), cites: PAGE.memory })
  return {
    view,
    expected,
    status: stop === null ? 'done' : 'stopped',
    health: healthOf(view, written),
    stop,
    counts,
    digest,
    intents: openIntents(view),
  }
}

/** Undefined: the pages do not say. */
export type ExpectedRules = Partial<Record<RuleName, JudgedRule['holds']>>

const unless = (isUnknown: boolean, holds: boolean): boolean | null => (isUnknown ? null : holds)

export interface ExpectedItem {
  number: number
  /** Undefined: the pages do not say. */
  situation: Situation | null | undefined
  rules: ExpectedRules
  /** What the pages do not say of it. */
  unsaid: readonly string[]
}

function rulesOf(view: View, pull: PullRequest): ExpectedRules {
  const isReady = has(pull, 'merge-ready') || view.gained.includes(pull)
  const isGateCheck = pull.checks?.some(({ state }) => state === 'GATE') === true
  const isGatedNow = isGated(view.given, pull, isReady)
  return {
    label: isReady,
    reviews: unless(pull.verdicts === null, isApproved(pull)),
    clear: !has(pull, 'needs-rework', 'needs-restack'),
    draft: !pull.isDraft,
    ...(isGateCheck ? {} : { checks: hasFailed(pull) ? false : unless(isPending(view.given, pull, isReady), true) }),
    mergeable: unless(pull.mergeable === 'UNKNOWN', pull.mergeable === 'MERGEABLE'),
    gate: isGatedNow ? false : unless(isBlockedYoung(view.given, pull, isReady) || pull.mergeState === 'UNKNOWN', true),
  }
}

const REFUSALS: Partial<Record<MergeFailure, { situation: Situation; rules: ExpectedRules }>> = {
  conflict: { situation: 'conflicting', rules: { mergeable: false } },
  gate: { situation: 'gate', rules: { gate: false } },
}

function itemOf(view: View, first: PullRequest): ExpectedItem {
  const { given, judged, moves, read, stop } = view
  const { number } = first
  const found = judged.find((each) => each.pull.number === number)
  const situation = found?.situation ?? null
  const isOver = found === undefined && stop !== null
  if (isOver) return { number, situation: undefined, rules: {}, unsaid: ['item that a stop left out'] }
  if (found === undefined && read.includes(number)) {
    const isClosed = given.rereads![number] === null
    return { number, situation: isClosed ? undefined : null, rules: {}, unsaid: ['item that left the queue'] }
  }
  const all = rulesOf(view, found?.pull ?? first)
  const refusal = situation === 'eligible' ? REFUSALS[given.merges?.[number] ?? 'moved'] : undefined
  const rules = { ...all, ...refusal?.rules, ...movedRules(found?.standing ?? standingOf(given, first, moves)) }
  const unsaid = 'checks' in rules ? [] : ['rule checks beside a gate check']
  if (rules.gate === undefined) unsaid.push('rule gate of a head of this run')
  return { number, situation: refusal?.situation ?? situation, rules, unsaid }
}

/** "A head it made: `checks-pending`; else a retargeted PR: `unknown`": what the snapshot says is of another head or base. */
function movedRules({ past, pull, base, isMade, isUnsure }: Standing): ExpectedRules {
  return {
    stack: isTrunk(past.snapshot, base),
    ...(isMade || isUnsure ? { mergeable: null } : {}),
    ...(isMade ? { checks: null } : {}),
    ...(isMade && pull.mergeState === 'BLOCKED' ? { gate: undefined } : {}),
  }
}

/** Pull requests that were open at the beginning. */
export const itemsOf = (view: View): ExpectedItem[] =>
  view.given.snapshot.pullRequests.map((pull) => itemOf(view, pull))
