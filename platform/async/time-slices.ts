// Long work in pieces: a generator that yields where it may be interrupted, run at once or with pauses for everything
// else.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'

/** Work that yields between pieces of some microseconds, and returns its result. */
export type Pieces<T> = Generator<void, T, void>

/** Longest stretch without letting anything else run, in milliseconds; of all work in pieces together. */
const STRETCH_MS = 8

/** When the first work in pieces of this turn of the loop began; null while there was none. */
let began: number | null = null
/** Resolves in the turn of whoever waits last. */
let lastTurn: Promise<void> = Promise.resolve()

/** False when work in pieces has had its share of this turn of the loop. */
export function hasTime(): boolean {
  if (began === null) {
    began = performance.now()
    setImmediate(() => (began = null))
  }
  return performance.now() - began < STRETCH_MS
}

/**
 * A turn of the loop of one's own: of all that wait here, one goes on a turn, so that many cannot block it
 * together.
 */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => turnOfTheLoop())
  return lastTurn
}

/** Does all of the work without a pause. */
export function atOnce<T>(work: Pieces<T>): T {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

/** Does the work with a pause after every stretch of some milliseconds. */
export async function inPieces<T>(work: Pieces<T>): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (!hasTime()) await nextTurn()
  }
}

/** The items of a list, with a point between them where the work may be interrupted. */
export function* eachOf<T>(items: Iterable<T>, work: (item: T) => void): Pieces<void> {
  for (const item of items) {
    work(item)
    yield
  }
}
