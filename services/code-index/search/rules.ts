import { keyOf, merged, type Candidate } from './ranking.ts'

interface About {
  symbol: string | null
  type: string
}

/** A query that is one identifier searches for that name. */
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$.:#-]*$/u
const NAMED = 3
const NAMELESS = 0.6

/** Returns the new ranking, and the rules applied per candidate. */
export function ruled(
  list: readonly Candidate[],
  query: string,
  look: (candidate: Candidate) => About,
): { ranked: Candidate[]; applied: Map<string, string[]> } {
  const applied = new Map<string, string[]>()
  const name = IDENTIFIER.test(query.trim()) ? lastPart(query.trim()) : null
  const moved = list.map((candidate) => {
    const { symbol, type } = look(candidate)
    const rules: string[] = []
    let { score } = candidate
    if (name !== null && symbol !== null && lastPart(symbol) === name) {
      score *= NAMED
      rules.push('named')
    }
    if (type === 'block') {
      score *= NAMELESS
      rules.push('nameless')
    }
    if (rules.length > 0) applied.set(keyOf(candidate), rules)
    return { ...candidate, score }
  })
  return { ranked: merged([moved], moved.length), applied }
}

const lastPart = (name: string): string =>
  name
    .split(/[.:#]+/)
    .at(-1)!
    .toLowerCase()
