// Offline embedding: a weighted sum of trained word vectors.
import { readFileSync } from 'node:fs'
import { tokensOf, TOKENS_VERSION, wordsOf } from '../text/tokens.ts'
import type { ModelId } from '../store/port.ts'
import { EmbeddingFailure, type Embedder, type Passage } from './embedder.ts'

export interface Weights {
  /** Identifies the training. */
  name: string
  dim: number
  words: readonly string[]
  /** Weight of each word in queries, and in code. */
  inQuery: Float32Array
  inCode: Float32Array
  /** Value d of word w is `vectors[w * dim + d] * scales[w]`. */
  scales: Float32Array
  vectors: Int8Array
}

export interface Head {
  name: string
  tokens_version: number
  dim: number
  words: readonly string[]
}

/** File format: magic, length of the header, header as JSON, numbers. */
export const MAGIC = 'SVCE'

/** Bytes to the next multiple of four. */
export const padding = (length: number): number => (4 - (length % 4)) % 4

/** Throws if the file is invalid or was trained with another version of the tokens. */
export function decodeWeights(file: Buffer): Weights {
  if (file.subarray(0, 4).toString('latin1') !== MAGIC) throw new Error('not a weights file')
  const length = file.readUInt32LE(4)
  const head = JSON.parse(file.subarray(8, 8 + length).toString('utf8')) as Head
  if (head.tokens_version !== TOKENS_VERSION)
    throw new Error(
      `the weights were trained with tokens version ${head.tokens_version}, expected version ${TOKENS_VERSION}`,
    )
  const numbers = new Uint8Array(file.subarray(8 + length + padding(length)))
  const count = head.words.length
  if (numbers.length !== count * (12 + head.dim)) throw new Error('the file is truncated')
  const floats = (at: number) => new Float32Array(numbers.buffer, at * 4 * count, count)
  const vectors = new Int8Array(numbers.buffer, 12 * count, count * head.dim)
  return { ...head, inQuery: floats(0), inCode: floats(1), scales: floats(2), vectors }
}

export class BuiltinEmbedder implements Embedder {
  readonly id: ModelId
  readonly #weights: Weights
  readonly #places: ReadonlyMap<string, number>

  constructor(weights: Weights) {
    this.#weights = weights
    this.#places = new Map(weights.words.map((word, at) => [word, at]))
    this.id = { provider: 'builtin', model: weights.name, dim: weights.dim }
  }

  /** Throws an EmbeddingFailure if the weights cannot be read. */
  static load(path: string): BuiltinEmbedder {
    try {
      return new BuiltinEmbedder(decodeWeights(readFileSync(path)))
    } catch (error) {
      throw new EmbeddingFailure(`failed to load the builtin embedding from ${path}: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }

  async passages(passages: readonly Passage[]): Promise<Float32Array[]> {
    return passages.map((passage) => this.passage(passage))
  }

  async query(text: string): Promise<Float32Array> {
    return this.#sum(countsOf([[text, 1]]), this.#weights.inQuery, (count) => count)
  }

  passage(passage: Passage): Float32Array {
    return this.#sum(passage.words ?? wordsOf(passage), this.#weights.inCode, ({ all }) => 1 + Math.log(all))
  }

  #sum<T>(counts: ReadonlyMap<string, T>, gains: Float32Array, worth: (count: T) => number): Float32Array {
    const { dim, vectors, scales } = this.#weights
    const sum = new Float32Array(dim)
    for (const [word, count] of counts) {
      const at = this.#places.get(word)
      if (at === undefined) continue
      const factor = gains[at]! * scales[at]! * worth(count)
      for (let d = 0, k = at * dim; d < dim; d++, k++) sum[d]! += factor * vectors[k]!
    }
    let square = 0
    for (const each of sum) square += each * each
    // No known word: the zero vector is similar to nothing.
    return square === 0 ? sum : sum.map((each) => each / Math.sqrt(square))
  }
}

/** Counts words; each occurrence in a text counts `times`. */
export function countsOf(parts: readonly (readonly [text: string, times: number])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [text, times] of parts)
    for (const word of tokensOf(text)) counts.set(word, (counts.get(word) ?? 0) + times)
  return counts
}
