// What is known of code beyond words and likeness, applied lightly after the lists were put together.
import { keyOf, merged, type Candidate } from './ranking.ts'

interface About {
  symbol: string | null
  type: string
}

/** A query that is one identifier asks for what has that name. */
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$.:#-]*$/u
const NAMED = 3
/** What has no name of its own answers a question less often than what has. */
const NAMELESS = 0.6

/** The list in its new order, and which rules moved what. */
export function ruled(
  list: readonly Candidate[],
  query: string,
  look: (candidate: Candidate) => About,
): { ranked: Candidate[]; told: Map<string, string[]> } {
  const told = new Map<string, string[]>()
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
    if (rules.length > 0) told.set(keyOf(candidate), rules)
    return { ...candidate, score }
  })
  return { ranked: merged([moved], moved.length), told }
}

const lastPart = (name: string): string =>
  name
    .split(/[.:#]+/)
    .at(-1)!
    .toLowerCase()
