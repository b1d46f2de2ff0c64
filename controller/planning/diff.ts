// The difference of two canonical specs, and who moved: the manifest or the live system. Pure.
import { elementsOf, isSet, keyOfList, type Shape } from '../../schemas/members/keyed-list.ts'
import { elementPath, isBelow, memberPath, stepsOf } from '../../schemas/members/member-path.ts'
import { isMembers, sameSpec } from './masking.ts'

export interface Difference {
  /** Dotted, an element of a keyed list in brackets; any other list is one value. */
  path: string
  desired: unknown
  applied: unknown
  live: unknown
  /** `manifest`: desired left what was last applied. `live`: live did. */
  owner: 'manifest' | 'live'
  /** The manifest moved, and live had moved as well. */
  conflict: boolean
  /** Of the live state, and not of its spec. */
  isState?: boolean
}

/** Every member in which live is not as desired. `applied` is null when nothing was ever applied. */
export function differences(desired: unknown, applied: unknown, live: unknown, shape: Shape = {}): Difference[] {
  const moved = (path: string) =>
    applied === null || !sameAt(path, memberAt(desired, path, shape), memberAt(applied, path, shape), shape)
  // A list goes with the member it means something by, while that one differs.
  const isBound = (path: string) => !sameAt(path, memberAt(desired, path, shape), memberAt(live, path, shape), shape)
  return unequalPaths([desired, live], shape).map((path) => {
    const [want, had, is] = [desired, applied, live].map((side) => memberAt(side, path, shape))
    const manifestMoved = moved(path) || bondsOf(path, shape).some((other) => isBound(other) && moved(other))
    return {
      path,
      desired: want,
      applied: had,
      live: is,
      owner: manifestMoved ? 'manifest' : 'live',
      conflict: manifestMoved && applied !== null && !sameAt(path, is, had, shape),
    }
  })
}

/** What a member is taken over together with: a list and the member it means something by. */
function bondsOf(path: string, { keyed = {} }: Shape): string[] {
  return Object.entries(keyed).flatMap(([list, declared]) => {
    if (typeof declared === 'string') return []
    return path === list ? [declared.under] : path === declared.under ? [list] : []
  })
}

/** What an element means something by: the member its list goes with, or what else is in the atom that the list is in. */
export function meaningOf(value: unknown, path: string, shape: Shape): unknown {
  const { atoms = [], keyed = {} } = shape
  const declared = Object.entries(keyed).find(([list]) => isBelow(path, [list]))?.[1]
  if (typeof declared === 'object') return memberAt(value, declared.under, shape)
  const atom = atoms.find((each) => each !== path && isBelow(path, [each]))
  return atom === undefined ? null : withoutKeyed(memberAt(value, atom, shape), atom, shape)
}

/** Member at a path; null where there is none. */
export function memberAt(value: unknown, path: string, { keyed }: Shape = {}): unknown {
  let [at, here]: [unknown, string] = [value, '']
  for (const { key, isElement } of stepsOf(path)) {
    if (isElement) {
      const by = keyOfList(here, keyed)
      at = by === null ? undefined : elementsOf(at, by)?.get(key)
    } else at = isMembers(at) ? at[key] : undefined
    here = isElement ? elementPath(here, key) : memberPath(here, key)
  }
  return at ?? null
}

/** Members in which desired left last applied and live has come to the same: there is nothing left to apply. */
export function agreedPaths(desired: unknown, applied: unknown, live: unknown, shape: Shape = {}): string[] {
  return unequalPaths([desired, applied, live], shape).filter((path) =>
    sameAt(path, memberAt(desired, path, shape), memberAt(live, path, shape), shape),
  )
}

/**
 * Where the first two of the sides differ. An atom is one value, unless nothing in it differs but elements of a keyed
 * list; for that, and for what a list means something by, further sides have to be the same as well.
 */
function unequalPaths(sides: readonly unknown[], shape: Shape): string[] {
  const { atoms = [], keyed = {} } = shape
  const walk = (values: readonly unknown[], at: string): string[] => {
    const [a, b] = values
    if (a === b) return []
    const by = keyOfList(at, keyed)
    if (by !== null) return walkList(values, at, by)
    if (!isMembers(a) || !isMembers(b)) return same(a, b) ? [] : [at]
    const found = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort().flatMap((key) =>
      walk(
        values.map((value) => recordOf(value)[key]),
        memberPath(at, key),
      ),
    )
    if (!atoms.includes(at) || found.length === 0) return found
    const bare = values.map((value) => withoutKeyed(value, at, shape))
    return bare.every((rest) => same(rest, bare[0])) ? found : [at]
  }
  const walkList = (values: readonly unknown[], at: string, by: string): string[] => {
    const lists = values.map((value) => elementsOf(value, by))
    const [a, b] = lists
    const declared = keyed[at]!
    const isOneValue = typeof declared === 'object' && !isSameIn(sides, declared.under, shape)
    if (!a || !b || isOneValue) return sameAt(at, values[0], values[1], shape) ? [] : [at]
    return [...new Set([...a.keys(), ...b.keys()])].sort().flatMap((key) => {
      const element = elementPath(at, key)
      if (!a.has(key) || !b.has(key)) return [element]
      return isSet(by)
        ? []
        : walk(
            lists.map((list) => list?.get(key)),
            element,
          )
    })
  }
  return walk(sides, '')
}

function isSameIn(sides: readonly unknown[], path: string, shape: Shape): boolean {
  const [first, ...others] = sides.map((side) => memberAt(side, path, shape))
  return others.every((other) => same(other, first))
}

/** An atom as it is beside its keyed lists; null where there is none. */
function withoutKeyed(value: unknown, at: string, { keyed = {} }: Shape): unknown {
  if (!isMembers(value)) return value ?? null
  return Object.fromEntries(Object.entries(value).filter(([key]) => keyOfList(memberPath(at, key), keyed) === null))
}

/** True for equal values of the member at `path`; a keyed list in another order is the same one. */
function sameAt(path: string, a: unknown, b: unknown, { keyed }: Shape): boolean {
  const by = keyOfList(path, keyed)
  const [left, right] = by === null ? [null, null] : [elementsOf(a, by), elementsOf(b, by)]
  if (!left || !right) return same(a, b)
  return (
    left.size === right.size && [...left].every(([key, element]) => right.has(key) && same(element, right.get(key)))
  )
}

/** True for equal values; none and null are the same. */
export function same(a: unknown, b: unknown): boolean {
  return sameSpec(a ?? null, b ?? null)
}

function recordOf(value: unknown): Record<string, unknown> {
  return isMembers(value) ? value : {}
}
