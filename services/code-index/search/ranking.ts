// The best of many, and one order out of several.

/** A row of one of the generations that are searched together. */
export interface Candidate {
  /** Place of the generation. */
  of: number
  row: number
  score: number
}

/** The best `most` of these scores that are greater than `above` and allowed, the best first; of equal ones the earlier row. */
export function best(
  scores: Float32Array,
  most: number,
  { of, above, allows }: { of: number; above: number; allows: (row: number) => boolean },
): Candidate[] {
  const found: Candidate[] = []
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row]!
    if (!(score > above) || (found.length === most && score <= found.at(-1)!.score) || !allows(row)) continue
    let at = found.length
    while (at > 0 && found[at - 1]!.score < score) at--
    found.splice(at, 0, { of, row, score })
    if (found.length > most) found.pop()
  }
  return found
}

/** One list out of those of each generation; of equal scores the earlier generation, and in it the earlier row. */
export function merged(lists: readonly (readonly Candidate[])[], most: number): Candidate[] {
  return lists
    .flat()
    .sort((a, b) => b.score - a.score || a.of - b.of || a.row - b.row)
    .slice(0, most)
}

export interface Weighted {
  list: readonly Candidate[]
  weight: number
}

/** How fast a place loses its worth: the tenth is worth half of the first. */
const K = 10

export const keyOf = ({ of, row }: Pick<Candidate, 'of' | 'row'>): string => `${of}:${row}`

/** Weighted reciprocal rank fusion: what stands high in several lists comes first. */
export function fused(lists: readonly Weighted[]): Candidate[] {
  const sums = new Map<string, Candidate>()
  for (const { list, weight } of lists)
    for (const [rank, candidate] of list.entries()) {
      const known = sums.get(keyOf(candidate)) ?? { of: candidate.of, row: candidate.row, score: 0 }
      sums.set(keyOf(candidate), { ...known, score: known.score + weight / (K + rank + 1) })
    }
  return merged([[...sums.values()]], sums.size)
}
