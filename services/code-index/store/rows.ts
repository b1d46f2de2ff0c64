// What every store makes of a row in the same way: its id, and the whole numbers of its vector.
import { LEVELS, type Level } from '../../../schemas/code-index/search.ts'
import type { NewRow } from './port.ts'
import { hashOf } from '../text/hash.ts'

/** A value for each level. */
export const byLevel = <T>(make: (level: Level) => T): Record<Level, T> =>
  Object.fromEntries(LEVELS.map((level) => [level, make(level)])) as Record<Level, T>

/** A word counts up to so much. */
export const MOST_WEIGHT = 255

/** Ids of the rows of a directory: the same for the same tree, whoever keeps them. */
export class RowIds {
  readonly #root: string
  /** How often a symbol stood in a file: part of a row's id. */
  readonly #ordinals = new Map<string, number>()

  constructor(root: string) {
    this.#root = root
  }

  next(level: Level, { path, symbol, type }: Pick<NewRow, 'path' | 'symbol' | 'type'>): string {
    const key = `${level}\0${path}\0${symbol ?? ''}\0${type}`
    const ordinal = this.#ordinals.get(key) ?? 0
    this.#ordinals.set(key, ordinal + 1)
    return hashOf(`${this.#root}\0${key}\0${ordinal}`)
  }
}

/** Names in the order they were first met. */
export class Names {
  readonly names: string[] = []
  readonly #places = new Map<string, number>()

  place(name: string): number {
    const known = this.#places.get(name)
    if (known !== undefined) return known
    this.#places.set(name, this.names.length)
    return this.names.push(name) - 1
  }
}

/**
 * Puts the whole numbers of a vector into `into`, and returns what they are to be multiplied by. Throws for a vector of
 * another length, and for one with what is no number: some stores take them, and never find them again.
 */
export function quantise(vector: ArrayLike<number>, into: Int8Array): number {
  if (vector.length !== into.length)
    throw new Error(`a vector has ${vector.length} numbers, and those of this index have ${into.length}: reindex`)
  let most = 0
  for (let d = 0; d < vector.length; d++) {
    const size = Math.abs(vector[d]!)
    if (!Number.isFinite(size)) throw new Error(`a vector holds ${vector[d]}, which is no number: nothing is written`)
    if (size > most) most = size
  }
  const scale = most === 0 ? 1 : most / 127
  for (let d = 0; d < vector.length; d++) into[d] = Math.round(vector[d]! / scale)
  return scale
}
