// A vector per word and its gain in queries and code, trained with Adam.

export interface Bag {
  words: Uint32Array
  weights: Float32Array
}

class Parameters {
  readonly values: Float32Array
  readonly slopes: Float32Array
  readonly #mean: Float32Array
  readonly #square: Float32Array

  constructor(values: Float32Array) {
    this.values = values
    this.slopes = new Float32Array(values.length)
    this.#mean = new Float32Array(values.length)
    this.#square = new Float32Array(values.length)
  }

  step(rate: number, time: number): void {
    const [b1, b2] = [0.9, 0.999]
    const scale = (rate * Math.sqrt(1 - b2 ** time)) / (1 - b1 ** time)
    const { values, slopes } = this
    for (let at = 0; at < values.length; at++) {
      const slope = slopes[at]!
      const mean = (this.#mean[at] = b1 * this.#mean[at]! + (1 - b1) * slope)
      const square = (this.#square[at] = b2 * this.#square[at]! + (1 - b2) * slope * slope)
      values[at]! -= (scale * mean) / (Math.sqrt(square) + 1e-8)
      slopes[at] = 0
    }
  }
}

export type Side = 'inQuery' | 'inCode'

export class Model {
  readonly dim: number
  readonly vectors: Parameters
  readonly gains: Record<Side, Parameters>

  constructor(dim: number, vectors: Float32Array, gains: Float32Array) {
    this.dim = dim
    this.vectors = new Parameters(vectors)
    this.gains = { inQuery: new Parameters(gains.slice()), inCode: new Parameters(gains.slice()) }
  }

  /** Returns normalised rows and their former lengths. */
  forward(bags: readonly Bag[], side: Side): { rows: Float32Array; lengths: Float32Array } {
    const { dim } = this
    const [vectors, gains] = [this.vectors.values, this.gains[side].values]
    const rows = new Float32Array(bags.length * dim)
    const lengths = new Float32Array(bags.length)
    for (const [at, { words, weights }] of bags.entries()) {
      const base = at * dim
      for (let k = 0; k < words.length; k++) {
        const word = words[k]!
        const factor = weights[k]! * gains[word]!
        for (let d = 0, v = word * dim; d < dim; d++, v++) rows[base + d]! += factor * vectors[v]!
      }
      let square = 1e-12
      for (let d = 0; d < dim; d++) square += rows[base + d]! ** 2
      const length = Math.sqrt(square)
      for (let d = 0; d < dim; d++) rows[base + d]! /= length
      lengths[at] = length
    }
    return { rows, lengths }
  }

  backward(bags: readonly Bag[], side: Side, forward: ReturnType<Model['forward']>, slopes: Float32Array): void {
    const { dim } = this
    const [vectors, gains] = [this.vectors, this.gains[side]]
    const own = new Float32Array(dim)
    for (const [at, { words, weights }] of bags.entries()) {
      const base = at * dim
      let along = 0
      for (let d = 0; d < dim; d++) along += slopes[base + d]! * forward.rows[base + d]!
      for (let d = 0; d < dim; d++)
        own[d] = (slopes[base + d]! - along * forward.rows[base + d]!) / forward.lengths[at]!
      for (let k = 0; k < words.length; k++) {
        const word = words[k]!
        const factor = weights[k]! * gains.values[word]!
        let gain = 0
        for (let d = 0, v = word * dim; d < dim; d++, v++) {
          gain += own[d]! * vectors.values[v]!
          vectors.slopes[v]! += factor * own[d]!
        }
        gains.slopes[word]! += weights[k]! * gain
      }
    }
  }

  step(rate: number, time: number): void {
    this.vectors.step(rate, time)
    this.gains.inQuery.step(rate, time)
    this.gains.inCode.step(rate, time)
  }
}

/** Contrastive loss of a batch, with gradients. */
export function contrast(questions: Float32Array, codes: Float32Array, dim: number, temperature: number) {
  const count = questions.length / dim
  const slopes = { questions: new Float32Array(questions.length), codes: new Float32Array(codes.length) }
  const scores = new Float32Array(count)
  let loss = 0
  for (let q = 0; q < count; q++) {
    const base = q * dim
    let most = -Infinity
    for (let c = 0; c < count; c++) {
      let [a, b] = [0, 0]
      for (let d = 0, k = c * dim; d < dim; d += 2, k += 2) {
        a += questions[base + d]! * codes[k]!
        b += questions[base + d + 1]! * codes[k + 1]!
      }
      scores[c] = (a + b) / temperature
      most = Math.max(most, scores[c]!)
    }
    let sum = 0
    for (let c = 0; c < count; c++) sum += scores[c] = Math.exp(scores[c]! - most)
    loss -= Math.log(scores[q]! / sum)
    for (let c = 0; c < count; c++) {
      const slope = (scores[c]! / sum - (c === q ? 1 : 0)) / temperature / count
      if (Math.abs(slope) < 1e-7) continue
      for (let d = 0, k = c * dim; d < dim; d++, k++) {
        slopes.questions[base + d]! += slope * codes[k]!
        slopes.codes[k]! += slope * questions[base + d]!
      }
    }
  }
  return { loss: loss / count, slopes }
}
