// Removes ever smaller groups of steps while the same law is still broken.
import type { Violation } from './laws/situation.ts'
import type { Outcome } from './seed.ts'
import type { Batch, Step } from './steps.ts'

export interface Least {
  batches: Batch[]
  outcome: Pick<Outcome, 'broken' | 'at'>
}

export interface Trying {
  withinMs: number
  play(batches: Batch[]): Promise<Pick<Outcome, 'broken' | 'at'>>
}

/** Returns null if the law is not broken again. Stops after `withinMs` with the best result. */
export async function minimised(
  batches: Batch[],
  found: Pick<Outcome, 'broken'>,
  { withinMs, play }: Trying,
): Promise<Least | null> {
  const deadline = Date.now() + withinMs
  let least: Least | null = null
  let steps = batches.flatMap((batch, index) => batch.map((step) => ({ step, index })))
  for (let size = Math.ceil(steps.length / 2); size >= 1 && Date.now() < deadline;) {
    let dropped = false
    for (let at = 0; at < steps.length && Date.now() < deadline;) {
      const fewer = [...steps.slice(0, at), ...steps.slice(at + size)]
      const tried = inBatches(fewer)
      const outcome = tried.length === 0 ? null : await play(tried)
      if (outcome && isSame(outcome.broken, found.broken)) {
        steps = fewer
        least = { batches: tried.slice(0, outcome.at + 1), outcome }
        dropped = true
      } else at += size
    }
    if (size > 1) size = Math.ceil(size / 2)
    else if (!dropped) break
  }
  return least
}

function isSame(broken: readonly Violation[], wanted: readonly Violation[]): boolean {
  const [first] = wanted
  return broken.some(({ law, what }) => law === first?.law && what === first.what)
}

function inBatches(steps: readonly { step: Step; index: number }[]): Batch[] {
  const indexes = [...new Set(steps.map(({ index }) => index))]
  return indexes.map((index) => steps.filter((each) => each.index === index).map(({ step }) => step))
}
