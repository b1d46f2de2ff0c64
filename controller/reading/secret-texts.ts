// Masks secrets in messages: an alias can bring one to a place where values are quoted.
import { Masker } from '../../platform/secrets/masking/masker.ts'
import type { Path } from '../../schemas/kind.ts'
import { Secret } from '../../schemas/secret.ts'
import type { WrittenText } from '../../schemas/validation/manifest.ts'

/** Longest quoted part of a value, in characters. */
const MOST_QUOTED = 60

/** Masks values at `patterns`, also as `written` in the file. Costs nothing without aliases or errors. */
export function quotable(
  text: string,
  manifests: readonly unknown[],
  patterns: readonly string[][],
  written: WrittenText = () => undefined,
): <F extends { message: string; hint: string }>(fault: F) => F {
  if (!text.includes('*')) return (fault) => fault
  let made: Masker | undefined
  const mask = (said: string) => (made ??= maskerOf(manifests, patterns, written)).mask(said)
  return (fault) => ({ ...fault, message: mask(fault.message), hint: mask(fault.hint) })
}

function maskerOf(manifests: readonly unknown[], patterns: readonly string[][], written: WrittenText): Masker {
  const values = manifests.flatMap((manifest) => patterns.flatMap((pattern) => textsAt(manifest, pattern, written)))
  return new Masker(values.flatMap((value) => [value, value.slice(0, MOST_QUOTED)]))
}

function textsAt(value: unknown, pattern: readonly string[], written: WrittenText, path: Path = []): string[] {
  if (value instanceof Secret) return [value.reveal()]
  if (typeof value !== 'object' || value === null)
    return pattern.length === 0 && value !== undefined && value !== null ? [written(path) ?? '', String(value)] : []
  const [step, ...rest] = pattern
  return Object.entries(value).flatMap(([name, member]) => {
    const below = [...path, name]
    if (step === undefined) return [name, ...textsAt(member, [], written, below)]
    return step === '*' || step === name ? textsAt(member, rest, written, below) : []
  })
}
