// The table of situations of step 6: "The first that holds".
import type { Situation } from '../../../../../schemas/conductor/run.ts'
import type { PullRequest, Snapshot } from '../../../../../services/conductor/snapshot/facts.ts'
import {
  byNumber,
  depthOf,
  has,
  hasFailed,
  isApproved,
  isBlockedYoung,
  isGated,
  isPending,
  isTrunk,
  lacksApprovals,
  wantsChanges,
  type Case,
} from './facts.ts'
import { firstMoves, isRetargeted, movesAfterMergeOf, type Move } from './moves.ts'

/** A pull request as step 5 or 6 sees it. */
export interface Standing {
  snapshot: Snapshot
  pull: PullRequest
  base: string
  /** Its head was made by this run: checks have not started. */
  isMade: boolean
  /** Its base was changed by this run and its head was not: mergeability is not known. */
  isUnsure: boolean
}

export function standingOf(snapshot: Snapshot, pull: PullRequest, moves: readonly Move[]): Standing {
  const move = moves.find((each) => each.pull === pull && isRetargeted(each))
  const isMade = moves.some(
    ({ fate, carried }) => fate === 'made' && carried.some(({ number }) => number === pull.number),
  )
  return { snapshot, pull, base: move?.onto ?? pull.base, isMade, isUnsure: move !== undefined && !isMade }
}

export const SITUATION_TABLE: readonly [Situation, (standing: Standing) => boolean][] = [
  ['changes-requested', ({ pull }) => wantsChanges(pull)],
  ['held', ({ pull }) => has(pull, 'needs-rework', 'needs-restack')],
  ['draft', ({ pull }) => pull.isDraft],
  ['queued', ({ pull }) => pull.isQueued],
  ['parent-open', ({ snapshot, base }) => !isTrunk(snapshot, base)],
  ['conflicting', ({ pull, isMade, isUnsure }) => !isMade && !isUnsure && pull.mergeable === 'CONFLICTING'],
  ['checks-failed', ({ pull, isMade }) => !isMade && hasFailed(pull)],
  ['no-approvals', ({ pull }) => lacksApprovals(pull)],
  [
    'unknown',
    ({ pull, isMade, isUnsure }) =>
      !isMade && (isUnsure || pull.mergeable === 'UNKNOWN' || pull.verdicts === null || pull.checks === null),
  ],
  [
    'checks-pending',
    ({ snapshot, pull, isMade }) => isMade || isPending(snapshot, pull) || isBlockedYoung(snapshot, pull),
  ],
  ['gate', ({ snapshot, pull }) => isGated(snapshot, pull)],
  ['behind', ({ pull }) => pull.mergeState === 'BEHIND'],
  ['eligible', () => true],
]

export const situationOf = (standing: Standing): Situation => SITUATION_TABLE.find(([, holds]) => holds(standing))![0]

/** "Approved pull requests lacking merge-ready, needs-rework and needs-restack"; no drafts, none with failed checks. */
export const gainsReady = ({ pull, isMade }: Standing): boolean =>
  isApproved(pull) &&
  !has(pull, 'merge-ready', 'needs-rework', 'needs-restack') &&
  !pull.isDraft &&
  (isMade || !hasFailed(pull))

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
  movesAfterMerge: readonly Move[]
  stop: { step: 1 | 6; number: number } | null
}

const gateKey = ({ number, head }: PullRequest): string => `gate #${number} @${head}`

/** "post, stop; reported before: none". A memory that cannot be reached does not say that it is known. */
export const stopsAsGate = (given: Case, pull: PullRequest): boolean => given.reported?.has(gateKey(pull)) !== true

function stopsRun(given: Case, { pull, situation }: Judged): boolean {
  if (situation === 'gate') return stopsAsGate(given, pull)
  if (situation !== 'eligible') return false
  const failure = given.merges?.[pull.number]
  if (failure !== undefined) return failure === 'gate' && stopsAsGate(given, pull)
  return movesAfterMergeOf(given, pull).some(({ fate }) => fate === 'conflict')
}

/** Depth once step 1 has moved bases. */
function orderOf(snapshot: Snapshot, moves: readonly Move[]): (a: PullRequest, b: PullRequest) => number {
  const moved = {
    ...snapshot,
    pullRequests: snapshot.pullRequests.map((pull) => ({ ...pull, base: standingOf(snapshot, pull, moves).base })),
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
    return { moves, gained: [], judged: [], merged: [], movesAfterMerge: [], stop }
  }
  const gained = snapshot.pullRequests.filter((pull) => gainsReady(standingOf(snapshot, pull, moves)))
  const before = snapshot.pullRequests
    .filter((pull) => has(pull, 'merge-ready') || gained.includes(pull))
    .toSorted(orderOf(snapshot, moves))
    .map((pull) => judgedOf(snapshot, pull, moves))
    .flatMap((judged) => judgedAgain(given, judged))
  const stopper = before.find((each) => stopsRun(given, each))
  const reached = stopper === undefined ? before : before.slice(0, before.indexOf(stopper) + 1)
  const merged = reached
    .filter(({ situation, pull }) => situation === 'eligible' && given.merges?.[pull.number] === undefined)
    .map(({ pull }) => pull)
  const movesAfterMerge = merged.flatMap((pull) => movesAfterMergeOf(given, pull))
  const judged = reached.map((each) => {
    const isMoved = movesAfterMerge.some(({ pull }) => pull === each.pull)
    return isMoved ? judgedOf(snapshot, each.pull, [...moves, ...movesAfterMerge]) : each
  })
  const stop = stopper === undefined ? null : { step: 6 as const, number: stopNumber(stopper, movesAfterMerge) }
  return { moves, gained, judged, merged, movesAfterMerge, stop }
}

function judgedOf(snapshot: Snapshot, pull: PullRequest, moves: readonly Move[]): Judged {
  const standing = standingOf(snapshot, pull, moves)
  return { pull, standing, situation: situationOf(standing) }
}

/** "Merge: read the PR again, judge anew". Closed ones and those that lost `merge-ready` are left out. */
function judgedAgain({ snapshot, rereads }: Case, judged: Judged): Judged[] {
  const { number } = judged.pull
  const pull = rereads?.[number]
  if (judged.situation !== 'eligible' || pull === undefined) return [judged]
  return pull === null || !has(pull, 'merge-ready') ? [] : [judgedOf(snapshot, pull, [])]
}

const stopNumber = ({ pull }: Judged, moves: readonly Move[]): number =>
  moves.find(({ fate, merged }) => fate === 'conflict' && merged.number === pull.number)?.pull.number ?? pull.number
