// How much two notes have in common: near-duplicates are found by it.
import { wordsOf } from '../search/words.ts'

/** From here on two notes say nearly the same. */
export const NEARLY_THE_SAME = 0.6

/** The share of words that two texts have in common: 0 to 1, 1 for the same words in any order. */
export function likeness(one: string, other: string): number {
  const [first, second] = [new Set(wordsOf(one)), new Set(wordsOf(other))]
  const common = [...first].filter((word) => second.has(word)).length
  const all = first.size + second.size - common
  return all === 0 ? 0 : Math.round((common / all) * 1000) / 1000
}
