// Compares the SIMD and the plain implementation.
import { expect, test } from 'vitest'
import { likeness, unit } from '../../../services/code-index/search/vector.ts'
import { numbers } from '../../support/random.ts'

test.each([1, 3, 8, 64, 255, 256, 257, 768, 4096, 8192])(
  'returns equal scores from both implementations for %s dimensions',
  (dim) => {
    const random = numbers(dim)
    const count = 700
    const vectors = Int8Array.from({ length: dim * count }, () => Math.round(random() * 254 - 127))
    // The largest possible sums, positive and negative.
    vectors.fill(127, 0, dim).fill(-127, dim, dim * 2)
    const scales = Float32Array.from({ length: count }, () => random() / 127 / Math.sqrt(dim))
    for (const made of [() => random() - 0.5, () => 1]) {
      const query = unit(Float32Array.from({ length: dim }, made))!
      const rows = { vectors, scales, count }
      const [fast, slow] = [likeness(rows, query), likeness(rows, query, null)]
      for (let row = 0; row < count; row++) expect(fast[row], `row ${row}`).toBeCloseTo(slow[row]!, 2)
      const order = (scores: Float32Array) => [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!).slice(0, 5)
      if (dim >= 64) expect(order(fast)).toEqual(order(slow))
    }
  },
)

test('returns no scores without rows', () => {
  const none = { vectors: new Int8Array(0), scales: new Float32Array(0), count: 0 }
  expect(likeness(none, Float32Array.of(1, 0))).toHaveLength(0)
})
