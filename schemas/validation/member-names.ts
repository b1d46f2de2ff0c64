// The names of members, of all kinds together: words that may be shown wherever they stand, and those that stand
// before secrets.
import { kinds } from '../kinds.ts'

/** Members whose value is secret, or below which every value is. */
export const SECRET_MEMBERS: ReadonlySet<string> = new Set(
  kinds.flatMap(({ secrets }) => secrets.map((path) => path.filter((step) => step !== '*').at(-1)!)),
)

/** Every name that a manifest of some kind may give a member. */
export const KNOWN_MEMBERS: ReadonlySet<string> = new Set(kinds.flatMap(({ schema }) => namesIn(schema)))

function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap(namesIn)
  return Object.entries(schema).flatMap(([word, below]) =>
    word === 'properties'
      ? [...Object.keys(below as object), ...Object.values(below as object).flatMap(namesIn)]
      : namesIn(below),
  )
}
