// The known word nearest to a mistyped one, for hints.
import { distance } from 'fastest-levenshtein'

/** Words longer than this are no slip of the hand, and comparing them costs time. */
const LONGEST = 64

/** Null when nothing is near enough to be meant. */
export function nearest(word: string, known: Iterable<string>): string | null {
  if (word.length > LONGEST) return null
  let best: string | null = null
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const steps = slips(word.toLowerCase(), candidate.toLowerCase())
    if (steps < least && steps < candidate.length) [best, least] = [candidate, steps]
  }
  return best
}

/** `did you mean "planner"?`, or `otherwise` when nothing is near. */
export function nearestHint(word: string, known: Iterable<string>, otherwise: string): string {
  const meant = nearest(word, known)
  return meant === null ? otherwise : `did you mean "${meant}"?`
}

/** Names told where none is near. */
const MOST_TOLD = 8

/**
 * The one way to refuse a name: `source defualt does not exist; did you mean "default"?`, or what there is. `known`
 * is asked only now.
 */
export function unknownName(what: string, given: string, known: Iterable<string>): string {
  const names = [...known]
  const told = names.slice(0, MOST_TOLD).join(', ')
  const more = names.length > MOST_TOLD ? ` and ${names.length - MOST_TOLD} more` : ''
  const otherwise =
    names.length === 0 ? 'there is none' : names.length === 1 ? `there is only ${told}` : `there are ${told}${more}`
  return `${what} ${given.slice(0, 200)} does not exist; ${nearestHint(given, names, otherwise)}`
}

/** Two neighbours that changed places are one slip, not two. */
function slips(word: string, candidate: string): number {
  const steps = distance(word, candidate)
  if (steps !== 2 || word.length !== candidate.length) return steps
  let at = 0
  while (word[at] === candidate[at]) at++
  return word[at] === candidate[at + 1] && word[at + 1] === candidate[at] ? 1 : steps
}
