// Differences of canonical specs, and whether the manifest or the live system caused them. Pure.
import { elementsOf, isSet, keyOfList, type Shape } from '../../schemas/members/keyed-list.ts'
import { elementPath, isBelow, memberPath, stepsOf } from '../../schemas/members/member-path.ts'
import { isMembers, sameSpec } from './masking.ts'

export interface Difference {
  /** Dotted, with keyed elements in brackets. Other lists are one value. */
  path: string
  desired: unknown
  applied: unknown
  live: unknown
  /** `manifest` if desired differs from last applied, else `live`. */
  owner: 'manifest' | 'live'
  /** The manifest and live have both changed. */
  conflict: boolean
  /** Concerns live state other than the spec. */
  isState?: boolean
}

/** Returns the fields where live differs from desired. `applied` is null if nothing was applied yet. */
export function differences(desired: unknown, applied: unknown, live: unknown, shape: Shape = {}): Difference[] {
  const moved = (path: string) =>
    applied === null || !sameAt(path, memberAt(desired, path, shape), memberAt(applied, path, shape), shape)
  // While they differ, a list and the field that gives it meaning change together.
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

function bondsOf(path: string, { keyed = {} }: Shape): string[] {
  return Object.entries(keyed).flatMap(([list, declared]) => {
    if (typeof declared === 'string') return []
    return path === list ? [declared.under] : path === declared.under ? [list] : []
  })
}

/** The value that gives a list element its meaning: the field its list belongs to, or the rest of its atom. */
export function meaningOf(value: unknown, path: string, shape: Shape): unknown {
  const { atoms = [], keyed = {} } = shape
  const declared = Object.entries(keyed).find(([list]) => isBelow(path, [list]))?.[1]
  if (typeof declared === 'object') return memberAt(value, declared.under, shape)
  const atom = atoms.find((each) => each !== path && isBelow(path, [each]))
  return atom === undefined ? null : withoutKeyed(memberAt(value, atom, shape), atom, shape)
}

/** Value at a dotted path; null if missing. */
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

/** Fields where desired differs from last applied but live already equals desired. */
export function agreedPaths(desired: unknown, applied: unknown, live: unknown, shape: Shape = {}): string[] {
  return unequalPaths([desired, applied, live], shape).filter((path) =>
    sameAt(path, memberAt(desired, path, shape), memberAt(live, path, shape), shape),
  )
}

/**
 * Paths where the first two sides differ. An atom is one value unless only its keyed elements differ; a keyed list is
 * one value unless all sides agree on its context.
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

/** An atom without its keyed lists; null if missing. */
function withoutKeyed(value: unknown, at: string, { keyed = {} }: Shape): unknown {
  if (!isMembers(value)) return value ?? null
  return Object.fromEntries(Object.entries(value).filter(([key]) => keyOfList(memberPath(at, key), keyed) === null))
}

/** The order of a keyed list does not matter. */
function sameAt(path: string, a: unknown, b: unknown, { keyed }: Shape): boolean {
  const by = keyOfList(path, keyed)
  const [left, right] = by === null ? [null, null] : [elementsOf(a, by), elementsOf(b, by)]
  if (!left || !right) return same(a, b)
  return (
    left.size === right.size && [...left].every(([key, element]) => right.has(key) && same(element, right.get(key)))
  )
}

/** Undefined equals null. */
export function same(a: unknown, b: unknown): boolean {
  return sameSpec(a ?? null, b ?? null)
}

function recordOf(value: unknown): Record<string, unknown> {
  return isMembers(value) ? value : {}
}
