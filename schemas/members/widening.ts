// Whether a change of a field gives an agent, or callers, more than before.

/**
 * Called only if the values differ; a creation has no `before`. `specs`: the whole specs, for fields that depend on each
 * other. Secrets are digests.
 */
export type Widens = (before: any, after: any, specs: { before: any; after: any }) => boolean

/** By top-level field of the canonical spec. A field without one widens with every change. */
export type Widening = Readonly<Record<string, Widens>>

/** It grants nothing. */
export const never: Widens = () => false
/** Which of two values grants more cannot be told. */
export const always: Widens = () => true

/** A list that grants each of its elements. */
export const adds: Widens = (before: readonly unknown[] | undefined, after: readonly unknown[]) =>
  after.some((each) => !before?.includes(each))

/** A list that withholds each of its elements. */
export const removes: Widens = (before: readonly unknown[] | undefined, after: readonly unknown[]) =>
  before?.some((each) => !after.includes(each)) ?? false

/** From the least to the most rights. */
const ROLES = ['observer', 'member', 'admin']

/** A list of memberships in rooms, with the key field `by`: another one, or a higher role. */
export function raisesRole(by: string): Widens {
  type Membership = Record<string, string>
  return (before: readonly Membership[] | undefined, after: readonly Membership[]) =>
    after.some((now) => {
      const then = before?.find((each) => each[by] === now[by])
      return !then || then.kind !== now.kind || ROLES.indexOf(now.role!) > ROLES.indexOf(then.role!)
    })
}

/** A limit; null is none. */
export const raises: Widens = (before: number | null | undefined, after: number | null) =>
  before !== undefined && before !== null && (after === null || after > before)

/** Top-level fields in which `after` widens `before`, which is null for a creation. Values are compared by `isSame`. */
export function widenedMembers(
  before: Record<string, unknown> | null,
  after: Record<string, unknown>,
  { widens = {}, isSame }: { widens?: Widening | undefined; isSame(a: unknown, b: unknown): boolean },
): string[] {
  const specs = { before: before ?? {}, after }
  return Object.keys(after).filter((name) => {
    const [then, now] = [before?.[name], after[name]]
    if (name === 'name' || isSame(then, now) || (before === null && isUnset(now))) return false
    return Object.hasOwn(widens, name) ? widens[name]!(then, now, specs) : true
  })
}

const isUnset = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)
