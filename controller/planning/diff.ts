// The difference of two canonical specs, and who moved: the manifest or the live system. Pure.

export interface Difference {
  /** Dotted; a list is one value. */
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

/**
 * Every member in which live is not as desired. `applied` is null when nothing was ever applied; `atoms` are
 * members compared as one value.
 */
export function differences(
  desired: unknown,
  applied: unknown,
  live: unknown,
  atoms: readonly string[] = [],
): Difference[] {
  return unequalPaths(desired, live, '', atoms).map((path) => {
    const [want, had, is] = [memberAt(desired, path), memberAt(applied, path), memberAt(live, path)]
    const manifestMoved = applied === null || !same(want, had)
    return {
      path,
      desired: want,
      applied: had,
      live: is,
      owner: manifestMoved ? 'manifest' : 'live',
      conflict: manifestMoved && applied !== null && !same(is, had),
    }
  })
}

/** Member at a dotted path; null where there is none. */
export function memberAt(value: unknown, path: string): unknown {
  let at: unknown = value
  for (const key of path === '' ? [] : path.split('.')) at = isRecord(at) ? at[key] : undefined
  return at ?? null
}

/** Members in which desired left last applied and live has come to the same: there is nothing left to apply. */
export function agreedPaths(
  desired: unknown,
  applied: unknown,
  live: unknown,
  atoms: readonly string[] = [],
): string[] {
  return unequalPaths(desired, applied, '', atoms).filter((path) => same(memberAt(desired, path), memberAt(live, path)))
}

/**
 * A copy of `spec` in which the members at `paths` are those of `from`: what a plan changes, and nothing else. A member
 * that drifted and is only reported keeps its live value.
 */
export function withMembers(spec: unknown, from: unknown, paths: readonly string[]): unknown {
  const members = { ...(spec as Record<string, unknown>) }
  for (const key of new Set(paths.map((path) => path.split('.', 1)[0]!))) {
    const below = paths.filter((path) => path.startsWith(`${key}.`)).map((path) => path.slice(key.length + 1))
    const source = (from as Record<string, unknown>)[key]
    const next =
      paths.includes(key) || !isRecord(members[key]) || !isRecord(source)
        ? source
        : withMembers(members[key], source, below)
    if (next === undefined) delete members[key]
    else members[key] = next
  }
  return members
}

/** True when `path` is one of `prefixes` or below one. */
export function isBelow(path: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}.`))
}

function unequalPaths(a: unknown, b: unknown, at: string, atoms: readonly string[]): string[] {
  if (isRecord(a) && isRecord(b) && !atoms.includes(at)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])]
      .sort()
      .flatMap((key) => unequalPaths(a[key], b[key], at === '' ? key : `${at}.${key}`, atoms))
  }
  return same(a, b) ? [] : [at]
}

/** True for equal values; none and null are the same. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
