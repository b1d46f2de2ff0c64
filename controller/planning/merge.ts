import { elementsOf, keyOfList, type KeyedLists, type Shape } from '../../schemas/members/keyed-list.ts'
import { elementPath, memberPath, stepsOf, type PathStep } from '../../schemas/members/member-path.ts'
import { isMembers } from './masking.ts'

/** Copies the fields at `paths` from `from`; others, such as reported drift, are kept. */
export function withMembers(spec: unknown, from: unknown, paths: readonly string[], { keyed }: Shape = {}): unknown {
  return paths.reduce<unknown>((merged, path) => withMember({ into: merged, from, at: '', keyed }, stepsOf(path)), spec)
}

interface Place {
  into: unknown
  from: unknown
  at: string
  keyed: KeyedLists | undefined
}

function withMember(place: Place, [step, ...rest]: readonly PathStep[]): unknown {
  const { into, from, at, keyed } = place
  if (!step) return from
  if (step.isElement) return withElement(place, step.key, rest)
  if (!isMembers(into) || !isMembers(from)) return from
  const [is, wanted] = [into[step.key], from[step.key]]
  const isDeeper = rest.length > 0 && (rest[0]!.isElement || (isMembers(is) && isMembers(wanted)))
  const next = isDeeper ? withMember({ into: is, from: wanted, at: memberPath(at, step.key), keyed }, rest) : wanted
  if (next !== undefined) return { ...into, [step.key]: next }
  const { [step.key]: _, ...others } = into
  return others
}

function withElement({ into, from, at, keyed }: Place, key: string, rest: readonly PathStep[]): unknown {
  const by = keyOfList(at, keyed)
  const [present, wanted] = by === null ? [null, null] : [elementsOf(into, by), elementsOf(from, by)]
  if (by === null || !present || !wanted) return from
  const list = [...present.values()]
  const index = [...present.keys()].indexOf(key)
  if (!wanted.has(key)) return index < 0 ? list : list.toSpliced(index, 1)
  const source = wanted.get(key)
  if (index < 0) return list.toSpliced(placeFor(key, [...present.keys()], [...wanted.keys()]), 0, source)
  const next =
    rest.length === 0 ? source : withMember({ into: list[index], from: source, at: elementPath(at, key), keyed }, rest)
  return list.with(index, next)
}

/** By key in sorted lists, else after the predecessor in the element's own list. */
function placeFor(key: string, present: readonly string[], wanted: readonly string[]): number {
  if (isSorted(present) && isSorted(wanted)) return present.filter((other) => other < key).length
  const before = wanted.slice(0, wanted.indexOf(key)).findLast((other) => present.includes(other))
  return before === undefined ? 0 : present.indexOf(before) + 1
}

function isSorted(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || keys[index - 1]! < key)
}
