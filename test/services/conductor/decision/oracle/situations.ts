// The table of situations of step 6: "The first that holds".
import type { Situation } from '../../../../../schemas/conductor/run.ts'
import type { PullRequest } from '../../../../../services/conductor/snapshot/facts.ts'
import {
  byNumber,
  depthOf,
  has,
  hasFailed,
  isApproved,
  isBlockedYoung,
  isComputing,
  isGated,
  isPending,
  isTrunk,
  lacksApprovals,
  wantsChanges,
  type Case,
  type Past,
} from './facts.ts'
import { firstMoves, isRetargeted, movesAfterMergeOf, type Move } from './moves.ts'

/** A pull request as step 5 or 6 sees it. */
export interface Standing {
  past: Past
  pull: PullRequest
  base: string
  /** Its head was made by this run: checks have not started. */
  isMade: boolean
  /** Its base was changed by this run and its head was not: mergeability is not known. */
  isUnsure: boolean
}

export function standingOf(past: Past, pull: PullRequest, moves: readonly Move[]): Standing {
  const move = moves.find((each) => each.pull === pull && isRetargeted(each))
  const isMade = moves.some(
    ({ fate, carried }) => fate === 'made' && carried.some(({ number }) => number === pull.number),
  )
  return { past, pull, base: move?.onto ?? pull.base, isMade, isUnsure: move !== undefined && !isMade }
}

export const SITUATION_TABLE: readonly [Situation, (standing: Standing) => boolean][] = [
  ['changes-requested', ({ pull }) => wantsChanges(pull)],
  ['held', ({ pull }) => has(pull, 'needs-rework', 'needs-restack')],
  ['draft', ({ pull }) => pull.isDraft],
  ['queued', ({ pull }) => pull.isQueued],
  ['parent-open', ({ past, base }) => !isTrunk(past.snapshot, base)],
  ['conflicting', ({ pull, isMade, isUnsure }) => !isMade && !isUnsure && pull.mergeable === 'CONFLICTING'],
  ['checks-failed', ({ pull, isMade }) => !isMade && hasFailed(pull)],
  ['no-approvals', ({ pull }) => lacksApprovals(pull)],
  [
    'unknown',
    ({ pull, isMade, isUnsure }) =>
      !isMade && (isUnsure || isComputing(pull) || pull.verdicts === null || pull.checks === null),
  ],
  ['checks-pending', ({ past, pull, isMade }) => isMade || isPending(past, pull) || isBlockedYoung(past, pull)],
  ['gate', ({ past, pull }) => isGated(past, pull)],
  ['behind', ({ pull }) => pull.mergeState === 'BEHIND'],
  ['eligible', () => true],
]

export const situationOf = (standing: Standing): Situation => SITUATION_TABLE.find(([, holds]) => holds(standing))![0]

/**
 * "Approved pull requests lacking merge-ready, needs-rework and needs-restack"; no drafts, none with failed checks. Of
 * checks that are not known one may have failed.
 */
export const gainsReady = ({ pull, isMade }: Standing): boolean =>
  isApproved(pull) &&
  !has(pull, 'merge-ready', 'needs-rework', 'needs-restack') &&
  !pull.isDraft &&
  (isMade || (pull.checks !== null && !hasFailed(pull)))

export interface Judged {
  pull: PullRequest
  standing: Standing
  situation: Situation
}

/** Steps 1, 5 and 6 of a run. */
export interface Queue {
  moves: readonly Move[]
  /** Labelled by step 5. */
  gained: readonly PullRequest[]
  /** Pull requests with `merge-ready`, in order, up to the one that stops the run. */
  judged: readonly Judged[]
  merged: readonly PullRequest[]
  /** Numbers of those that were read again before a merge. */
  read: readonly number[]
  movesAfterMerge: readonly Move[]
  stop: { step: 1 | 6; number: number } | null
}

/** "post, stop; reported before: none". A stop that a memory cannot keep would be repeated for ever. */
export const stopsAsGate = ({ reported }: Case, { number, head }: PullRequest): boolean =>
  reported !== null && !['gate', 'gate-stop'].some((subject) => reported.has(`${subject} #${number} @${head}`))

function stopsRun(given: Case, { pull, situation }: Judged): boolean {
  if (situation === 'gate') return stopsAsGate(given, pull)
  if (situation !== 'eligible') return false
  const failure = given.merges?.[pull.number]
  if (failure !== undefined) return failure === 'gate' && stopsAsGate(given, pull)
  return movesAfterMergeOf(given, pull).some(({ fate }) => fate === 'conflict')
}

/** Depth once step 1 has moved bases. */
function orderOf(given: Case, moves: readonly Move[]): (a: PullRequest, b: PullRequest) => number {
  const { snapshot } = given
  const moved = {
    ...snapshot,
    pullRequests: snapshot.pullRequests.map((pull) => ({ ...pull, base: standingOf(given, pull, moves).base })),
  }
  const depths = new Map(moved.pullRequests.map((pull) => [pull.number, depthOf(moved, pull)]))
  return (a, b) => {
    const [first, second] = [depths.get(a.number)!, depths.get(b.number)!]
    return first === second ? byNumber(a, b) : first - second
  }
}

export function queueOf(given: Case): Queue {
  const { snapshot } = given
  const moves = firstMoves(given)
  const conflict = moves.find(({ fate }) => fate === 'conflict')
  if (conflict !== undefined) {
    const stop = { step: 1 as const, number: conflict.pull.number }
    return { moves, gained: [], judged: [], merged: [], read: [], movesAfterMerge: [], stop }
  }
  const gained = snapshot.pullRequests.filter((pull) => gainsReady(standingOf(given, pull, moves)))
  const queue = snapshot.pullRequests
    .filter((pull) => has(pull, 'merge-ready') || gained.includes(pull))
    .toSorted(orderOf(given, moves))
    .map((pull) => judgedOf(given, pull, moves))
  const isRead = ({ pull, situation }: Judged): boolean =>
    situation === 'eligible' && given.rereads?.[pull.number] !== undefined
  const judgements = queue.map((each) => (isRead(each) ? judgedAgain(given, each) : [each]))
  const end = judgements.findIndex((found) => found.some((each) => stopsRun(given, each)))
  const stopper = judgements[end]?.[0]
  const reached = stopper === undefined ? judgements.flat() : judgements.slice(0, end + 1).flat()
  const read = queue.filter((each, at) => isRead(each) && (end === -1 || at <= end)).map(({ pull }) => pull.number)
  const merged = reached
    .filter(({ situation, pull }) => situation === 'eligible' && given.merges?.[pull.number] === undefined)
    .map(({ pull }) => pull)
  const movesAfterMerge = merged.flatMap((pull) => movesAfterMergeOf(given, pull))
  const judged = reached.map((each) => {
    const isMoved = movesAfterMerge.some(
      ({ pull, carried }) => pull === each.pull || carried.some(({ number }) => number === each.pull.number),
    )
    return isMoved ? judgedOf(given, each.pull, [...moves, ...movesAfterMerge]) : each
  })
  const stop = stopper === undefined ? null : { step: 6 as const, number: stopNumber(stopper, movesAfterMerge) }
  return { moves, gained, judged, merged, read, movesAfterMerge, stop }
}

function judgedOf(past: Past, pull: PullRequest, moves: readonly Move[]): Judged {
  const standing = standingOf(past, pull, moves)
  return { pull, standing, situation: situationOf(standing) }
}

/** "Merge: read the PR again", and judge it again. Closed ones and those that lost `merge-ready` are left out. */
function judgedAgain(given: Case, { pull: { number } }: Judged): Judged[] {
  const pull = given.rereads![number]
  return pull == null || !has(pull, 'merge-ready') ? [] : [judgedOf(given, pull, [])]
}

const stopNumber = ({ pull }: Judged, moves: readonly Move[]): number =>
  moves.find(({ fate, merged }) => fate === 'conflict' && merged.number === pull.number)?.pull.number ?? pull.number
