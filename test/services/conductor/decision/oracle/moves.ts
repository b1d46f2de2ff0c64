// Changes of base branches after a merge: which pull requests move, and what becomes of them.
import type { MergedPullRequest, PullRequest, Snapshot } from '../../../../../services/conductor/snapshot/facts.ts'
import { byNumber, has, isTrunkHead, mergedBelow, parentOf, type Case, type RestackFailure } from './facts.ts'

/** `kept`: of a fork or with `needs-restack`, whose head is never moved. */
export type Fate = 'made' | 'kept' | RestackFailure

export interface Move {
  step: 1 | 6
  pull: PullRequest
  merged: { number: number; branch: string; head: string }
  onto: string
  fate: Fate
  /** Numbers of the heads that the restack pushes, with the number below each. */
  carried: readonly { number: number; parent: number | null }[]
}

const mayMove = (pull: PullRequest): boolean => !pull.isFork && !has(pull, 'needs-restack')

/** "PRs above follow": bottom first, each with its parent; nothing above one that must not move. */
function carriedBy(snapshot: Snapshot, bottom: PullRequest): Move['carried'] {
  const carried: { number: number; parent: number | null }[] = [{ number: bottom.number, parent: null }]
  const carriedNumbers = new Set([bottom.number])
  for (const { number } of carried) {
    const above = snapshot.pullRequests
      .filter((pull) => parentOf(snapshot, pull)?.number === number)
      .filter((pull) => mayMove(pull) && !isTrunkHead(snapshot, pull) && !carriedNumbers.has(pull.number))
      .toSorted(byNumber)
    for (const pull of above) {
      carriedNumbers.add(pull.number)
      carried.push({ number: pull.number, parent: number })
    }
  }
  return carried
}

function moveOf(given: Case, step: 1 | 6, pull: PullRequest, merged: Move['merged'], onto: string): Move {
  const fate = mayMove(pull) ? (given.restacks?.[pull.number] ?? 'made') : 'kept'
  return { step, pull, merged, onto, fate, carried: mayMove(pull) ? carriedBy(given.snapshot, pull) : [] }
}

/** Base of the merged pull request; where that was merged as well, the base of the last one. Null: it is gone. */
function finalBase(snapshot: Snapshot, start: MergedPullRequest): string | null {
  const visited = new Set<MergedPullRequest>()
  for (let last = start; !visited.has(last);) {
    visited.add(last)
    const next = mergedBelow(snapshot, last)
    if (next === undefined) return last.baseHead === null ? null : last.base
    last = next
  }
  return null
}

/** Null: it is left to a person. */
const placeOf = (snapshot: Snapshot, pull: PullRequest, base: string | null): string | null =>
  isTrunkHead(snapshot, pull) || (!pull.isFork && pull.branch === base) ? null : base

/** Moves of step 1: those of open intents first. A conflict stops the run; dependents of one merge move together. */
export function firstMoves(given: Case): Move[] {
  const { snapshot, intents } = given
  const all = snapshot.pullRequests.toSorted(byNumber).flatMap((pull) => {
    const merged = mergedBelow(snapshot, pull)
    const onto = merged === undefined ? null : placeOf(snapshot, pull, finalBase(snapshot, merged))
    return merged === undefined || onto === null ? [] : [moveOf(given, 1, pull, merged, onto)]
  })
  const isIntended = ({ merged: { number, head } }: Move): boolean =>
    intents.some((intent) => intent.number === number && intent.head === head)
  const merges = [...new Set(all.filter(isIntended).map(({ merged }) => merged.number))].toSorted((a, b) => a - b)
  const groups = [
    ...merges.map((number) => all.filter(({ merged }) => merged.number === number)),
    ...all.filter((move) => !isIntended(move)).map((move) => [move]),
  ]
  const conflict = groups.findIndex((group) => group.some(({ fate }) => fate === 'conflict'))
  return (conflict === -1 ? groups : groups.slice(0, conflict + 1)).flat()
}

/** Moves of the dependents of a pull request that this run merges. */
export function movesAfterMergeOf(given: Case, merged: PullRequest): Move[] {
  const { snapshot } = given
  return snapshot.pullRequests
    .filter((pull) => parentOf(snapshot, pull)?.number === merged.number)
    .toSorted(byNumber)
    .filter((pull) => placeOf(snapshot, pull, merged.base) !== null)
    .map((pull) => moveOf(given, 6, pull, merged, merged.base))
}

export const isRetargeted = ({ fate }: Move): boolean => fate !== 'moved' && fate !== 'error'
/** A restack is tried unless the head must not move. */
export const isTried = ({ fate }: Move): boolean => fate !== 'kept'
