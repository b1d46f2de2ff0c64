// Lists compared, merged, reported and audited by element, in any order.

/**
 * Lists by path, with the key field of their elements (`{ participants: 'identifier' }`), or `.` for sets. With
 * `under`, elements depend on that field (a tool policy's mode): if it differs, the list is one value.
 */
export type KeyedLists = Readonly<Record<string, string | { by: string; under: string }>>

/** How specs of a kind are compared. */
export interface Shape {
  /** Fields compared as a whole. */
  atoms?: readonly string[]
  keyed?: KeyedLists
}

/** Key field of the list at `path`; null for a plain value. */
export function keyOfList(path: string, keyed: KeyedLists = {}): string | null {
  const declared = Object.hasOwn(keyed, path) ? keyed[path]! : null
  return typeof declared === 'object' ? (declared?.by ?? null) : declared
}

/** Returns elements by key: none for null, null if a key is missing or duplicate. */
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

/** Returns null without a key. */
export function elementKey(element: unknown, by: string): string | null {
  const key = isSet(by) ? element : (element as Record<string, unknown> | null | undefined)?.[by]
  return typeof key === 'string' ? key : null
}
