// Which member of a manifest's spec a write of its live resource is about.
import { pathOf, stepsOf } from '../schemas/members/member-path.ts'

/** `spelt`: what a service calls a top-level member, and what the spec does. Null for what is no member of the spec. */
export function declaredMember(
  written: string,
  spec: object,
  spelt: Readonly<Record<string, string>> = {},
): string | null {
  const [first, ...rest] = stepsOf(written)
  if (!first) return written
  const key = spelt[first.key] ?? first.key
  return Object.hasOwn(spec, key) ? pathOf([{ key, isElement: false }, ...rest]) : null
}
