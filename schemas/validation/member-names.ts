// Field names of all kinds, to decide which text may be shown.
import { kinds } from '../kinds.ts'

/** Fields that contain secrets. */
export const SECRET_MEMBERS: ReadonlySet<string> = new Set(
  kinds.flatMap(({ secrets }) => secrets.map((path) => path.filter((step) => step !== '*').at(-1)!)),
)

/** All field names of manifests. */
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
