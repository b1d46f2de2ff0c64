/** mulberry32: numbers from 0 to 1, determined by the seed. */
export function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = numbers(seed)
  }

  /** From 0 to `below`, exclusive. */
  whole(below: number): number {
    return Math.floor(this.#next() * below)
  }

  /** True with probability `share`. */
  chance(share: number): boolean {
    return this.#next() < share
  }

  pick<T>(from: readonly T[]): T {
    return from[this.whole(from.length)]!
  }

  /** Picks a name with a probability proportional to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as [Name, number][]
    let left = this.#next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) if ((left -= weight) < 0) return name
    return entries.at(-1)![0]
  }
}
