// Long work in pieces: a generator that yields where it may be interrupted, run at once or with pauses for everything else.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'

/** Work that yields between pieces of some microseconds, and returns its result. */
export type Pieces<T> = Generator<void, T, void>

/** Longest stretch without letting anything else run, in milliseconds. */
const STRETCH_MS = 8

/** Does all of the work without a pause. */
export function atOnce<T>(work: Pieces<T>): T {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

/** Does the work with a pause after every stretch of some milliseconds. */
export async function inPieces<T>(work: Pieces<T>): Promise<T> {
  let rested = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - rested < STRETCH_MS) continue
    await turnOfTheLoop()
    rested = performance.now()
  }
}

/** The items of a list, with a point between them where the work may be interrupted. */
export function* eachOf<T>(items: Iterable<T>, work: (item: T) => void): Pieces<void> {
  for (const item of items) {
    work(item)
    yield
  }
}
