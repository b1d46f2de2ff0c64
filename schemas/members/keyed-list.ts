// Lists whose elements are known by a key: compared, merged, reported and audited one by one, in whatever order they
// stand.

/**
 * Lists by their path. The member that tells elements apart (`{ participants: 'identifier' }`), or `.` for a set, whose
 * elements are their own keys. With `under`, elements mean something by the value of that member (a tool policy's mode):
 * while the two sides differ in it, the list is one value and goes with it.
 */
export type KeyedLists = Readonly<Record<string, string | { by: string; under: string }>>

/** What of a kind says how its specs are compared. */
export interface Shape {
  /** Members that are one value however they are built. */
  atoms?: readonly string[]
  keyed?: KeyedLists
}

/** The member that tells the elements of the list at `path` apart; null for a list that is one value. */
export function keyOfList(path: string, keyed: KeyedLists = {}): string | null {
  const declared = Object.hasOwn(keyed, path) ? keyed[path]! : null
  return typeof declared === 'object' ? (declared?.by ?? null) : declared
}

/** The elements by their keys, none for null; null where they have no keys, or two of them the same one. */
export function elementsOf(list: unknown, by: string): Map<string, unknown> | null {
  const elements = new Map<string, unknown>()
  if (list === null || list === undefined) return elements
  if (!Array.isArray(list)) return null
  for (const element of list) {
    const key = elementKey(element, by)
    if (key === null || (elements.has(key) && !isSet(by))) return null
    elements.set(key, element)
  }
  return elements
}

export const isSet = (by: string): boolean => by === '.'

/** Null for an element without a key. */
export function elementKey(element: unknown, by: string): string | null {
  const key = isSet(by) ? element : (element as Record<string, unknown> | null | undefined)?.[by]
  return typeof key === 'string' ? key : null
}
