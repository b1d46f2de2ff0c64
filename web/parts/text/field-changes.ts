export interface FieldChange {
  /** Dotted; empty for the whole value. */
  path: string
  before: unknown
  after: unknown
}

export type Tree = Record<string, unknown>

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const isAbsent = (value: unknown) => value === undefined || value === null

/** Splits the change of an object into those of its fields that differ. Lists are one value. */
export function fieldChanges({ path, before, after }: FieldChange): FieldChange[] {
  const isSplit = (isTree(before) && (isTree(after) || isAbsent(after))) || (isTree(after) && isAbsent(before))
  if (!isSplit) return isEqual(before, after) ? [] : [{ path, before, after }]
  const [old, next] = [isTree(before) ? before : {}, isTree(after) ? after : {}]
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  const fields = names.flatMap((name) =>
    fieldChanges({ path: path === '' ? name : `${path}.${name}`, before: old[name], after: next[name] }),
  )
  return fields.length === 0 && !isEqual(before, after) ? [{ path, before, after }] : fields
}

export interface ListChange {
  removed: readonly string[]
  added: readonly string[]
}

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** Entries that a list of strings lost and gained; null if a side is no such list, or only the order changed. */
export function listChange(before: unknown, after: unknown): ListChange | null {
  const [old, next] = [before ?? [], after ?? []]
  if (!isTextList(old) || !isTextList(next)) return null
  const removed = old.filter((entry) => !next.includes(entry))
  const added = next.filter((entry) => !old.includes(entry))
  return removed.length + added.length === 0 ? null : { removed, added }
}
