// Baselines for search quality.
import type { Chunk } from '../../../services/code-index/chunks/chunk.ts'

export interface Placed extends Pick<Chunk, 'start' | 'end' | 'content'> {
  path: string
}

const K1 = 1.2
const B = 0.75
const MOST = 10

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\w+/g) ?? []

function best(scores: Float64Array, chunks: readonly Placed[]): Placed[] {
  const places = [...scores.keys()].filter((at) => scores[at]! > 0)
  return places
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, MOST)
    .map((at) => chunks[at]!)
}

/** BM25 over unstemmed words. */
export function plainBm25(chunks: readonly Placed[]): (question: string) => Placed[] {
  const postings = new Map<string, [at: number, times: number][]>()
  const lengths = new Float64Array(chunks.length)
  for (const [at, { content }] of chunks.entries()) {
    const counts = new Map<string, number>()
    for (const word of wordsOf(content)) counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [word, times] of counts) {
      lengths[at]! += times
      const known = postings.get(word)
      if (known) known.push([at, times])
      else postings.set(word, [[at, times]])
    }
  }
  const average = lengths.reduce((sum, each) => sum + each, 0) / chunks.length
  return (question) => {
    const scores = new Float64Array(chunks.length)
    for (const word of new Set(wordsOf(question))) {
      const found = postings.get(word) ?? []
      const idf = Math.log(1 + (chunks.length - found.length + 0.5) / (found.length + 0.5))
      for (const [at, times] of found)
        scores[at]! += (idf * times * (K1 + 1)) / (times + K1 * (1 - B + (B * lengths[at]!) / average))
    }
    return best(scores, chunks)
  }
}

/** Ranks chunks by the number of question words, ignoring case. */
export function byGrep(chunks: readonly Placed[]): (question: string) => Placed[] {
  const texts = chunks.map(({ content }) => content.toLowerCase())
  return (question) => {
    const words = [...new Set(wordsOf(question))].filter((word) => word.length > 3)
    const scores = Float64Array.from(texts, (text) => words.filter((word) => text.includes(word)).length)
    return best(scores, chunks)
  }
}
