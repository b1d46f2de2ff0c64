// Row ids and quantisation, identical in every store.
import { LEVELS, type Level } from '../../../schemas/code-index/search.ts'
import type { NewRow } from './port.ts'
import { hashOf } from '../text/hash.ts'

export const byLevel = <T>(make: (level: Level) => T): Record<Level, T> =>
  Object.fromEntries(LEVELS.map((level) => [level, make(level)])) as Record<Level, T>

export const MOST_WEIGHT = 255

/** Stable ids: equal trees have equal ids in every store. */
export class RowIds {
  readonly #root: string
  /** Occurrences of a symbol in a file, part of the id. */
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

/** Numbers names in order of first use. */
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
 * Quantises a vector into `into` and returns the scale. Throws for a wrong length or a non-finite number, which some
 * stores accept and then never find.
 */
export function quantise(vector: ArrayLike<number>, into: Int8Array): number {
  if (vector.length !== into.length)
    throw new Error(`a vector has ${vector.length} numbers, but this index needs ${into.length}: reindex`)
  let most = 0
  for (let d = 0; d < vector.length; d++) {
    const size = Math.abs(vector[d]!)
    if (!Number.isFinite(size))
      throw new Error(`a vector contains ${vector[d]}, which is not a finite number; nothing was written`)
    if (size > most) most = size
  }
  const scale = most === 0 ? 1 : most / 127
  for (let d = 0; d < vector.length; d++) into[d] = Math.round(vector[d]! / scale)
  return scale
}
