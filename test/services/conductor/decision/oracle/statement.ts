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
} from './facts.ts'
import { lines } from './lines.ts'
import { PAGE } from './page.ts'
import { QUEUE_RULES } from './rules.ts'
import { queueOf } from './situations.ts'
import { openPulls, resumed, type View } from './view.ts'

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
}

/** Steps that change labels which are counted. */
const STEPS = [2, 5, 6, 7]

/** "If a label changed, or something was merged, restacked, retargeted". */
const TRANSITION = /^[1-8] (add-label|remove-label|merge|restack|retarget) /

function failedLines({ given, moves, movesAfterMerge }: View): string[] {
  const restacks = [...moves, ...movesAfterMerge].filter(({ fate }) => fate !== 'made' && fate !== 'kept')
  const merges = given.snapshot.pullRequests
    .filter(({ number }) => given.merges?.[number] !== undefined)
    .map((pull) => given.rereads?.[pull.number] ?? pull)
  return [...restacks.map(lines.restack), ...merges.map(({ number, head }) => lines.merge(number, head))]
}

function applies(step: number, isLate: boolean, stop: Statement['stop']): boolean {
  if (stop === null || step > 8) return true
  return !isLate && step <= stop.step
}

/** No label is both added to and removed from an item in one run. */
function countsAfter(view: View, written: ReadonlySet<string>): ConductorCounts {
  const pulls = openPulls(view)
  const isWritten = (action: 'add-label' | 'remove-label', { number }: Item, label: string): boolean =>
    STEPS.some((step) => written.has(lines.label(step, action, number, label)))
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

function healthOf(view: View): Health {
  if (view.stop !== null || isQueueBlocked(view)) return 'blocked'
  return view.given.reported === null ? 'degraded' : 'ok'
}

export function statementOf(given: Case): Statement {
  const view: View = { given, ...queueOf(given) }
  const { stop } = view
  const expected = [...QUEUE_RULES, ...CLOSING_RULES]
    .filter(({ step, isLate = false }) => applies(step, isLate, stop))
    .flatMap(({ cites, expects }) => expects(view).map((line) => ({ line, cites })))
  const failed = failedLines(view)
  // A merge that a crash interrupted was told in no digest.
  const isChanged = expected.some(({ line }) => TRANSITION.test(line) && !failed.includes(line))
  if (isChanged || resumed(view).length > 0) {
    const line = lines.post({ step: 9, number: null, room: 'operations', about: 'digest', mention: null })
    expected.push({ line, cites: PAGE.digest })
  }
  // Without memory there is nothing to keep a record in.
  if (given.reported !== null) expected.push({ line: lines.remember(), cites: PAGE.memory })
  return {
    view,
    expected,
    status: stop === null ? 'done' : 'stopped',
    health: healthOf(view),
    stop,
    counts: countsAfter(view, new Set(expected.map(({ line }) => line))),
  }
}

/** Undefined: the pages do not say. */
export type ExpectedRules = Partial<Record<RuleName, JudgedRule['holds']>>

const unless = (isUnknown: boolean, holds: boolean): boolean | null => (isUnknown ? null : holds)

export interface ExpectedItem {
  number: number
  situation: Situation | null
  rules: ExpectedRules
}

function rulesOf(view: View, pull: PullRequest): ExpectedRules {
  const { snapshot } = view.given
  const stable: ExpectedRules = {
    label: has(pull, 'merge-ready') || view.gained.includes(pull),
    reviews: unless(pull.verdicts === null, isApproved(pull)),
    clear: !has(pull, 'needs-rework', 'needs-restack'),
    draft: !pull.isDraft,
  }
  const isMoved = [...view.moves, ...view.movesAfterMerge].some(
    ({ pull: { number }, carried }) => number === pull.number || carried.some((each) => each.number === pull.number),
  )
  if (isMoved) return stable
  const isGateCheck = pull.checks?.some(({ state }) => state === 'GATE') === true
  const isGatedNow = isGated(snapshot, pull)
  return {
    ...stable,
    ...(isGateCheck ? {} : { checks: hasFailed(pull) ? false : unless(isPending(snapshot, pull), true) }),
    mergeable: unless(pull.mergeable === 'UNKNOWN', pull.mergeable === 'MERGEABLE'),
    stack: isTrunk(snapshot, pull.base),
    gate: isGatedNow ? false : unless(isBlockedYoung(snapshot, pull), true),
  }
}

/** Items of a run that is not stopped. */
export function itemsOf(view: View): ExpectedItem[] {
  return view.given.snapshot.pullRequests.map((pull) => ({
    number: pull.number,
    situation: view.judged.find((each) => each.pull.number === pull.number)?.situation ?? null,
    rules: rulesOf(view, pull),
  }))
}
