// Splits long work into slices so that it does not block the event loop.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'

/** Work that yields every few microseconds and returns its result. */
export type Pieces<T> = Generator<void, T, void>

/** Length of an event-loop slice, shared by all sliced work. */
const STRETCH_MS = 8

/** Start of the current slice; null if no sliced work has run in this event-loop iteration. */
let began: number | null = null
let lastTurn: Promise<void> = Promise.resolve()

/** Returns false when this iteration's slice is used up. */
export function hasTime(): boolean {
  if (began === null) {
    began = performance.now()
    setImmediate(() => (began = null))
  }
  return performance.now() - began < STRETCH_MS
}

/** Lets one waiter proceed per event-loop iteration, so that many together cannot block it. */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => turnOfTheLoop())
  return lastTurn
}

export function atOnce<T>(work: Pieces<T>): T {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

export async function inPieces<T>(work: Pieces<T>): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (!hasTime()) await nextTurn()
  }
}

export function* eachOf<T>(items: Iterable<T>, work: (item: T) => void): Pieces<void> {
  for (const item of items) {
    work(item)
    yield
  }
}
