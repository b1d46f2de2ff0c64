// Faults without the secrets of the manifest they were found in: an alias may bring one to where values are quoted.
import { Masker } from '../../platform/secrets/masking/masker.ts'
import { Secret } from '../../schemas/secret.ts'

/** Longest piece of a value that a message quotes. */
const MOST_QUOTED = 60

/**
 * Takes the values at the paths of `patterns`, and those made of them, out of messages and hints. Costs nothing
 * without aliases, and without faults.
 */
export function quotable(
  text: string,
  manifests: readonly unknown[],
  patterns: readonly string[][],
): <F extends { message: string; hint: string }>(fault: F) => F {
  if (!text.includes('*')) return (fault) => fault
  let made: Masker | undefined
  const mask = (said: string) => (made ??= maskerOf(manifests, patterns)).mask(said)
  return (fault) => ({ ...fault, message: mask(fault.message), hint: mask(fault.hint) })
}

function maskerOf(manifests: readonly unknown[], patterns: readonly string[][]): Masker {
  const values = manifests.flatMap((manifest) => patterns.flatMap((pattern) => textsAt(manifest, pattern)))
  return new Masker(values.flatMap((value) => [value, value.slice(0, MOST_QUOTED)]))
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
