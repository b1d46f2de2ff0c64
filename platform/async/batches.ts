// Gathers pieces of work: what is asked for while a batch is under way is done together in the next one.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { Problem } from '../core/problem.ts'

/** What became of one piece. */
export type Outcome<T> = { value: T } | { error: unknown }

interface Waiting<In, Out> {
  item: In
  resolve(value: Out): void
  reject(error: unknown): void
}

export class Batches<In, Out> {
  readonly #work: (items: readonly In[]) => Promise<Outcome<Out>[]>
  readonly #most: number
  #waiting: Waiting<In, Out>[] = []
  #isRunning = false

  /** `work` answers each piece in its place; what it throws is thrown for all of them. `most`: pieces of one batch. */
  constructor(most: number, work: (items: readonly In[]) => Promise<Outcome<Out>[]>) {
    this.#most = most
    this.#work = work
  }

  /** Settles with its batch; pieces are taken, and settle, in the order they were asked for. */
  run(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (!this.#isRunning) void this.#runAll()
    })
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    // What comes in this turn of the loop belongs together.
    await turnOfTheLoop()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#most)
      const outcomes = await this.#work(batch.map(({ item }) => item)).catch((error: unknown) =>
        batch.map(() => ({ error })),
      )
      for (const [at, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[at]!
        if ('error' in outcome) reject(outcome.error)
        else resolve(outcome.value)
      }
    }
    this.#isRunning = false
  }
}

/**
 * Does pieces together, and each alone where that fails, so that what keeps one of them does not keep the others. What
 * is down for all of them, which is a 503, is thrown.
 */
export async function togetherOrAlone<In, Out>(
  items: readonly In[],
  work: (items: readonly In[]) => Promise<readonly Out[]>,
): Promise<Outcome<Out>[]> {
  try {
    return (await work(items)).map((value) => ({ value }))
  } catch (error) {
    if (items.length === 1 || (error instanceof Problem && error.status === 503)) throw error
    const alone: Outcome<Out>[] = []
    for (const item of items) {
      const outcome = work([item]).then(([value]) => ({ value: value! }))
      alone.push(await outcome.catch((reason: unknown) => ({ error: reason })))
    }
    return alone
  }
}
