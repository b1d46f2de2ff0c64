// `${VAR}` and `${VAR:-default}` in secret fields.
import type { Fault, Path } from '../../schemas/kind.ts'
import { Secret } from '../../schemas/secret.ts'
import { literalKey } from './literal-keys.ts'

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

export interface Substituted<T> {
  /** The same object if it has no secrets, else a copy with Secrets. */
  manifest: T
  faults: Fault[]
}

/** In `patterns`, `*` matches any field. As in a shell, an empty variable takes the default. */
export function substitute<T>(
  manifest: T,
  patterns: readonly string[][],
  variable: (name: string) => string | undefined,
): Substituted<T> {
  const faults: Fault[] = []
  let result: unknown = manifest
  for (const pattern of patterns) {
    result = replaceAt(result, pattern, [], (text, path) => {
      const literal = literalKey(text, path)
      if (literal !== null) faults.push(literal)
      return new Secret(expand(text, path, variable, faults))
    })
  }
  return { manifest: result as T, faults }
}

function replaceAt(
  value: unknown,
  pattern: readonly string[],
  path: Path,
  replace: (text: string, path: Path) => Secret,
): unknown {
  if (pattern.length === 0) return typeof value === 'string' ? replace(value, path) : value
  if (typeof value !== 'object' || value === null || value instanceof Secret) return value
  const [step, ...rest] = pattern as [string, ...string[]]
  const names = step === '*' ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : []
  if (names.length === 0) return value
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  for (const name of names)
    copy[name] = replaceAt(copy[name], rest, [...path, Array.isArray(value) ? Number(name) : name], replace)
  return copy
}

function expand(text: string, path: Path, variable: (name: string) => string | undefined, faults: Fault[]): string {
  if (!text.includes('${')) return text
  return text.replace(REFERENCE, (whole, name: string, fallback: string | undefined) => {
    if (fallback?.includes('${')) {
      faults.push({
        path,
        code: 'variable-malformed',
        message: `the default of ${named(name)} contains another variable`,
        hint: 'a default is plain text: set the variable, or write the text out',
      })
      return whole
    }
    const value = variable(name)
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value
    if (value !== undefined) return value
    faults.push({
      path,
      code: 'variable-unset',
      message: `${named(name)} is not set`,
      hint: isUsual(name)
        ? `export ${name} where svc runs, or give a default: \${${name}:-value}`
        : 'export it where svc runs, or give a default: ${NAME:-value}',
    })
    return whole
  })
}

/** Other names are not quoted: they may be part of a secret that contains `${`. */
const isUsual = (name: string): boolean => /^[A-Z_][A-Z0-9_]*$/.test(name)

const named = (name: string): string => (isUsual(name) ? `variable ${name}` : 'a variable')
