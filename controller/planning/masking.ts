import { hash } from 'node:crypto'
import { mapSecrets, type Vault } from '../../platform/secrets/vault.ts'
import { MASK, Secret } from '../../schemas/secret.ts'

/** Comparable and safe to store: secrets are keyed digests. */
export interface MaskedSpec {
  readonly value: Record<string, unknown>
  readonly digest: string
}

export function maskSpec(spec: object, vault: Vault): MaskedSpec {
  const masked = mapSecrets(spec, (secret) => vault.fingerprint(secret))
  const value = sortMembers(masked) as Record<string, unknown>
  return { value, digest: digest(JSON.stringify(value)) }
}

/** Compares secrets by value, without a copy. Undefined fields are ignored. */
export function sameSpec(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a instanceof Secret || b instanceof Secret)
    return a instanceof Secret && b instanceof Secret && a.reveal() === b.reveal()
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => sameSpec(item, b[at]))
  if (!isMembers(a) || !isMembers(b)) return false
  const members = namesOf(a)
  return (
    members.length === namesOf(b).length &&
    members.every((name) => Object.hasOwn(b, name) && sameSpec(a[name], b[name]))
  )
}

/** False for lists and secrets. */
export const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Secret)

export const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

const namesOf = (members: Record<string, unknown>): string[] =>
  Object.keys(members).filter((name) => members[name] !== undefined)

/** Drops undefined fields. */
export function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  const source = value as Record<string, unknown>
  const sorted: Record<string, unknown> = {}
  for (const key of Object.keys(source).sort()) if (source[key] !== undefined) sorted[key] = sortMembers(source[key])
  return sorted
}

export function digest(text: string): string {
  return hash('sha256', text).slice(0, 32)
}

const FINGERPRINT = /^\*\*\*[0-9a-f]{16}$/

/** Replaces digests of secrets by `***`. */
export function display(value: unknown): unknown {
  if (typeof value === 'string') return FINGERPRINT.test(value) ? MASK : value
  if (Array.isArray(value)) return value.map(display)
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, display(member)]))
}
