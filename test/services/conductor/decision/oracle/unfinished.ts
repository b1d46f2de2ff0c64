// Merges that a run leaves to the next one: "close the intent" is the last write, and an error leaves it out.
import { byNumber, HOURS, over } from './facts.ts'
import type { Move } from './moves.ts'
import { deletion } from './rules.ts'
import { lastResumed, type View } from './view.ts'

interface Merged {
  number: number
  branch: string
  head: string
  isFork: boolean
}

/** Whether it is reported, of a merge that the next run finishes; null: nothing is left to do. */
function remainder(view: View, step: 1 | 6, merged: Merged, wasReported: boolean): boolean | null {
  const { deletions = {}, announcements = {} } = view.given
  const { number } = merged
  const moves: readonly Move[] = [...view.moves, ...view.movesAfterMerge].filter(
    (move) => move.merged.number === number,
  )
  const isMoveMissing = moves.some(({ fate }) => fate === 'error')
  const isDeletionMissing = deletions[number] === 'error' && deletion(view, step, merged).length > 0
  const isEscalated = moves.some(({ fate }) => fate === 'conflict')
  const isPostMissing = !wasReported && !isEscalated && announcements[number] === 'error'
  return isMoveMissing || isDeletionMissing || isPostMissing ? !isPostMissing : null
}

/** Intents after the run, by number: whether they are reported. */
export function openIntents(view: View): ReadonlyMap<number, boolean> {
  const { snapshot, intents, merges = {} } = view.given
  const open = new Map<number, boolean>()
  const keep = (number: number, left: boolean | null): void => void (left !== null && open.set(number, left))
  const last = lastResumed(view)
  for (const { number, head, at, isReported = false } of intents.toSorted(byNumber)) {
    const merged = snapshot.merged.find((each) => each.number === number && each.head === head)
    // GitHub may merge after an answer that was lost.
    const isAwaited = snapshot.pullRequests.some((pull) => pull.number === number && pull.head === head)
    if (number > last || (isAwaited && !over(snapshot, at, 24 * HOURS))) keep(number, isReported)
    else if (merged && !over(snapshot, merged.mergedAt, 24 * HOURS))
      keep(number, remainder(view, 1, merged, isReported))
  }
  // After an error, or where it is closed, it may have been merged. Of another answer a merge is over.
  for (const { pull, situation } of view.judged) {
    const answer = merges[pull.number]
    if (situation === 'eligible') open.delete(pull.number)
    if (situation === 'eligible' && (answer === 'error' || answer === 'closed')) open.set(pull.number, false)
  }
  for (const merged of view.merged) keep(merged.number, remainder(view, 6, merged, false))
  return open
}
