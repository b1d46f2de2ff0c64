import { wordsOf } from '../search/word-index.ts'

export const NEARLY_THE_SAME = 0.6

/** Jaccard similarity of the words: 0 to 1. */
export function likeness(one: string, other: string): number {
  const [first, second] = [new Set(wordsOf(one)), new Set(wordsOf(other))]
  const common = [...first].filter((word) => second.has(word)).length
  const all = first.size + second.size - common
  return all === 0 ? 0 : Math.round((common / all) * 1000) / 1000
}

/** Standard constant of reciprocal rank fusion. */
const DAMPING = 60

/** `score` is the sum of 1 / (60 + rank). */
export function fuseRankings(rankings: readonly (readonly number[])[]): { number: number; score: number }[] {
  const scores = new Map<number, number>()
  for (const ranking of rankings)
    ranking.forEach((number, place) => scores.set(number, (scores.get(number) ?? 0) + 1 / (DAMPING + place + 1)))
  return [...scores].map(([number, score]) => ({ number, score })).sort((a, b) => b.score - a.score)
}

/** Places from 1 of a memory in the searches by words and by meaning; null where it was not found. */
export function rankOf(
  number: number,
  words: readonly number[],
  meaning: readonly number[],
): { words: number | null; meaning: number | null } {
  const place = (ranking: readonly number[]) => (ranking.includes(number) ? ranking.indexOf(number) + 1 : null)
  return { words: place(words), meaning: place(meaning) }
}
