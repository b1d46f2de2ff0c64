// Masks secrets in messages: an alias can bring one to a place where values are quoted.
import { Masker } from '../../platform/secrets/masking/masker.ts'
import { Secret } from '../../schemas/secret.ts'

/** Longest quoted part of a value, in characters. */
const MOST_QUOTED = 60

/** Masks values at `patterns`. Costs nothing without aliases or errors. */
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

function textsAt(value: unknown, pattern: readonly string[]): string[] {
  if (value instanceof Secret) return [value.reveal()]
  if (typeof value !== 'object' || value === null)
    return pattern.length === 0 && value !== undefined && value !== null ? [String(value)] : []
  const [step, ...rest] = pattern
  return Object.entries(value).flatMap(([name, member]) =>
    step === undefined ? [name, ...textsAt(member, [])] : step === '*' || step === name ? textsAt(member, rest) : [],
  )
}
