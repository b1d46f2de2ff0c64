// Scores of memories: how similar two notes are, and one ranking out of several.
import { wordsOf } from '../search/word-index.ts'

/** From here on two notes say nearly the same. */
export const NEARLY_THE_SAME = 0.6

/** The share of words that two texts have in common: 0 to 1, 1 for the same words in any order. */
export function likeness(one: string, other: string): number {
  const [first, second] = [new Set(wordsOf(one)), new Set(wordsOf(other))]
  const common = [...first].filter((word) => second.has(word)).length
  const all = first.size + second.size - common
  return all === 0 ? 0 : Math.round((common / all) * 1000) / 1000
}

/** So much does the first place weigh less than it could: a place far below counts for little more than none. */
const DAMPING = 60

/** What stands high in several rankings first; `score` is the sum of 1 / (60 + place). */
export function fuseRankings(rankings: readonly (readonly number[])[]): { number: number; score: number }[] {
  const scores = new Map<number, number>()
  for (const ranking of rankings)
    ranking.forEach((number, place) => scores.set(number, (scores.get(number) ?? 0) + 1 / (DAMPING + place + 1)))
  return [...scores].map(([number, score]) => ({ number, score })).sort((a, b) => b.score - a.score)
}
