// Initial word vectors: latent semantic analysis by power iteration.
import type { Bag } from './model.ts'

const ROUNDS = 3

/** `worth`: weight per word. */
export function latent(bags: readonly Bag[], worth: Float32Array, dim: number, random: () => number): Float32Array {
  let vectors: Float32Array = Float32Array.from({ length: worth.length * dim }, () => random() - 0.5)
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float32Array(vectors.length)
    const text = new Float32Array(dim)
    for (const { words, weights } of bags) {
      text.fill(0)
      let square = 1e-9
      for (let k = 0; k < words.length; k++) square += (weights[k]! * worth[words[k]!]!) ** 2
      const length = Math.sqrt(square)
      each(words, weights, (word, weight) => {
        const factor = (weight * worth[word]!) / length
        for (let d = 0, v = word * dim; d < dim; d++, v++) text[d]! += factor * vectors[v]!
      })
      each(words, weights, (word, weight) => {
        const factor = (weight * worth[word]!) / length
        for (let d = 0, v = word * dim; d < dim; d++, v++) next[v]! += factor * text[d]!
      })
    }
    vectors = orthogonal(next, dim)
  }
  // Otherwise rare words would have no effect.
  for (let word = 0; word < worth.length; word++) {
    const row = vectors.subarray(word * dim, (word + 1) * dim)
    const length = Math.hypot(...row) + 1e-9
    for (let d = 0; d < dim; d++) row[d]! /= length
  }
  return vectors
}

function each(words: Uint32Array, weights: Float32Array, work: (word: number, weight: number) => void): void {
  for (let k = 0; k < words.length; k++) work(words[k]!, weights[k]!)
}

function orthogonal(vectors: Float32Array, dim: number): Float32Array {
  const count = vectors.length / dim
  const columns = Array.from({ length: dim }, (_, d) =>
    Float32Array.from({ length: count }, (_each, at) => vectors[at * dim + d]!),
  )
  for (const [d, column] of columns.entries()) {
    for (let before = 0; before < d; before++) {
      const other = columns[before]!
      let along = 0
      for (let at = 0; at < count; at++) along += column[at]! * other[at]!
      for (let at = 0; at < count; at++) column[at]! -= along * other[at]!
    }
    let square = 1e-20
    for (let at = 0; at < count; at++) square += column[at]! ** 2
    const length = Math.sqrt(square)
    for (let at = 0; at < count; at++) column[at]! /= length
  }
  return Float32Array.from({ length: vectors.length }, (_, at) => columns[at % dim]![Math.floor(at / dim)]!)
}
