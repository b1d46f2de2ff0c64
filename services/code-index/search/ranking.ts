export interface Candidate {
  /** Index of the generation. */
  of: number
  row: number
  score: number
}

/** Returns the `most` highest scores above `above` among allowed rows; ties are ordered by row. */
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

/** Ties are ordered by generation, then row. */
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

/** Rank constant: rank 12 weighs half as much as rank 1. */
const K = 10

export const keyOf = ({ of, row }: Pick<Candidate, 'of' | 'row'>): string => `${of}:${row}`

/** Weighted reciprocal rank fusion. */
export function fused(lists: readonly Weighted[]): Candidate[] {
  const sums = new Map<string, Candidate>()
  for (const { list, weight } of lists)
    for (const [rank, candidate] of list.entries()) {
      const known = sums.get(keyOf(candidate)) ?? { of: candidate.of, row: candidate.row, score: 0 }
      sums.set(keyOf(candidate), { ...known, score: known.score + weight / (K + rank + 1) })
    }
  return merged([[...sums.values()]], sums.size)
}
