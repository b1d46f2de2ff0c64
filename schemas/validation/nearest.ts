// Suggests the nearest known word.
import { distance } from 'fastest-levenshtein'

/** Longer words are not typos, and comparing them is slow. */
const LONGEST = 64

/** Null if no word is close. */
export function nearest(word: string, known: Iterable<string>): string | null {
  if (word.length > LONGEST) return null
  let best: string | null = null
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const steps = slips(word.toLowerCase(), candidate.toLowerCase())
    if (steps < least && steps < candidate.length) [best, least] = [candidate, steps]
  }
  return best ?? onlyLonger(word.toLowerCase(), known)
}

/** Shorter beginnings fit too many words. */
const SHORTEST_BEGINNING = 4

/** The only known word of which `word` is the first part: `claude` means claude-code. */
function onlyLonger(word: string, known: Iterable<string>): string | null {
  if (word.length < SHORTEST_BEGINNING) return null
  const longer = [...known].filter((candidate) => /^[-_. ]/.test(candidate.toLowerCase().slice(word.length)))
  const fitting = longer.filter((candidate) => candidate.toLowerCase().startsWith(word))
  return fitting.length === 1 ? fitting[0]! : null
}

/** Returns `did you mean "planner"?`, or `otherwise`. */
export function nearestHint(word: string, known: Iterable<string>, otherwise: string): string {
  const meant = nearest(word, known)
  return meant === null ? otherwise : `did you mean "${meant}"?`
}

/** Maximum names listed. */
const MOST_LISTED = 8

/** `source defualt does not exist; did you mean "default"?`, or the known names. `known` is read lazily. */
export function unknownName(what: string, given: string, known: Iterable<string>): string {
  const names = [...known]
  const listed = names.slice(0, MOST_LISTED).join(', ')
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : ''
  const otherwise =
    names.length === 0 ? 'there is none' : names.length === 1 ? `there is only ${listed}` : `there are ${listed}${more}`
  return `${what} ${given.slice(0, 200)} does not exist; ${nearestHint(given, names, otherwise)}`
}

/** A swap of two neighbouring letters counts as one typo. */
function slips(word: string, candidate: string): number {
  const steps = distance(word, candidate)
  if (steps !== 2 || word.length !== candidate.length) return steps
  let at = 0
  while (word[at] === candidate[at]) at++
  return word[at] === candidate[at + 1] && word[at + 1] === candidate[at] ? 1 : steps
}
