// Several rankings as one: reciprocal rank fusion.

/** So much does the first place weigh less than it could: a place far below counts for little more than none. */
const DAMPING = 60

/** What stands high in several rankings first; `score` is the sum of 1 / (60 + place). */
export function fused(rankings: readonly (readonly number[])[]): { number: number; score: number }[] {
  const scores = new Map<number, number>()
  for (const ranking of rankings)
    ranking.forEach((number, place) => scores.set(number, (scores.get(number) ?? 0) + 1 / (DAMPING + place + 1)))
  return [...scores].map(([number, score]) => ({ number, score })).sort((a, b) => b.score - a.score)
}
