// Making and choosing findings about a command.
import type { Finding } from '../finding.ts'

const LONGEST_PART = 120
/** A piece of a command as written, in the length that a message has room for. */
export function shorten(part: string): string {
  const text = part.trim()
  return text.length > LONGEST_PART ? `${text.slice(0, LONGEST_PART)}…` : text
}

export const unclear = (reason: string, part: string): Finding => ({ kind: 'unclear', reason, part: shorten(part) })
export const unlisted = (reason: string, part: string): Finding => ({ kind: 'unlisted', reason, part: shorten(part) })
export const refused = (reason: string, part: string): Finding => ({ kind: 'refused', reason, part: shorten(part) })

/** What an entry names counts before what is not certain. */
export function strongest(findings: readonly (Finding | null)[]): Finding | null {
  return findings.find((each) => each?.kind === 'refused') ?? findings.find((each) => each !== null) ?? null
}
