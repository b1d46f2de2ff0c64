// Faults without the secrets of the manifest they were found in: an alias may bring one to where values are quoted.
import { Masker } from '../../platform/masking.ts'
import { Secret } from '../../schemas/secret.ts'

/** Longest piece of a value that a message quotes. */
const MOST_QUOTED = 60

/**
 * Takes the values at the paths of `patterns`, and those made of them, out of messages and hints. Costs nothing
 * without aliases.
 */
export function quotable(
  text: string,
  manifests: readonly unknown[],
  patterns: readonly string[][],
): <F extends { message: string; hint: string }>(fault: F) => F {
  if (!text.includes('*')) return (fault) => fault
  const values = manifests.flatMap((manifest) => patterns.flatMap((pattern) => textsAt(manifest, pattern)))
  const masker = new Masker(values.flatMap((value) => [value, value.slice(0, MOST_QUOTED)]))
  return (fault) => ({ ...fault, message: masker.mask(fault.message), hint: masker.mask(fault.hint) })
}

/** All texts at a path and below it, names included. */
function textsAt(value: unknown, pattern: readonly string[]): string[] {
  if (value instanceof Secret) return [value.reveal()]
  if (typeof value !== 'object' || value === null)
    return pattern.length === 0 && value !== undefined && value !== null ? [String(value)] : []
  const [step, ...rest] = pattern
  return Object.entries(value).flatMap(([name, member]) =>
    step === undefined ? [name, ...textsAt(member, [])] : step === '*' || step === name ? textsAt(member, rest) : [],
  )
}
