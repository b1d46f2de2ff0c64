import { isDeepStrictEqual } from 'node:util'
import { MASK } from '../../../schemas/secret.ts'

export const LOST_INPUT =
  'allowed, but the input contained a secret, which is not stored, and the orchestrator has restarted since: ask again'

/** Restores the originals of values left as shown; keeps edited values. */
export function restoreInput(written: unknown, shown: unknown, original: unknown): unknown {
  if (isDeepStrictEqual(written, shown)) return original
  if (Array.isArray(written) && Array.isArray(shown) && Array.isArray(original))
    return written.map((item, index) =>
      index < original.length ? restoreInput(item, shown[index], original[index]) : item,
    )
  if (!isMapping(written) || !isMapping(shown) || !isMapping(original)) return written
  const members = Object.entries(written).map(([name, value]) => [
    name,
    Object.hasOwn(shown, name) && Object.hasOwn(original, name)
      ? restoreInput(value, shown[name], original[name])
      : value,
  ])
  return Object.fromEntries(members)
}

export function containsMask(input: unknown): boolean {
  return JSON.stringify(input ?? null).includes(MASK)
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
