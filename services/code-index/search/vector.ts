import type { Section } from '../store/port.ts'
import { dots, LONGEST } from './dot.ts'

const fast = dots()

/** Cosine similarity of each row with a unit query; rows are unit vectors except for rounding. */
export function likeness({ vectors, scales, count }: Rows, query: Float32Array, by = fast): Float32Array {
  const scores = new Float32Array(count)
  if (by === null || query.length > LONGEST) return slowly({ vectors, scales, count }, query, scores)
  const { whole, scale } = rounded(query)
  const sums = new Int32Array(count)
  by(vectors, whole, sums)
  for (let row = 0; row < count; row++) scores[row] = sums[row]! * scales[row]! * scale
  return scores
}

type Rows = Pick<Section, 'vectors' | 'scales' | 'count'>

function slowly({ vectors, scales, count }: Rows, query: Float32Array, scores: Float32Array): Float32Array {
  const dim = query.length
  for (let row = 0, base = 0; row < count; row++, base += dim) {
    let sum = 0
    for (let d = 0; d < dim; d++) sum += vectors[base + d]! * query[d]!
    scores[row] = sum * scales[row]!
  }
  return scores
}

/** Quantises a query to 16 bits, small enough that sums of products fit into 32 bits. */
function rounded(query: Float32Array): { whole: Int16Array; scale: number } {
  let most = 1e-12
  for (const each of query) most = Math.max(most, Math.abs(each))
  const largest = Math.min(32_767, Math.floor((2 ** 31 - 1) / (128 * query.length)))
  const scale = most / largest
  return { whole: Int16Array.from(query, (each) => Math.round(each / scale)), scale }
}

/** Null for a vector without a direction. */
export function unit(vector: Float32Array): Float32Array | null {
  let square = 0
  for (const each of vector) square += each * each
  if (!Number.isFinite(square) || square <= 1e-24) return null
  const length = Math.sqrt(square)
  return vector.map((each) => each / length)
}
