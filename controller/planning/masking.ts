// Specs without their secrets, in comparable form: members in one order, secrets as keyed digests.
import { hash } from 'node:crypto'
import { mapSecrets, type Vault } from '../../platform/secrets/vault.ts'
import { MASK } from '../../schemas/secret.ts'

/** A spec without secrets: what is compared, hashed and stored in records. */
export interface MaskedSpec {
  /** Made anew at each use: of thousands of specs only those that differ are ever looked into. */
  readonly value: Record<string, unknown>
  /** Of the stable JSON of `value`: equal digests mean equal specs. */
  readonly digest: string
}

class MaskedObject implements MaskedSpec {
  readonly digest: string
  readonly #spec: object
  readonly #vault: Vault

  constructor(spec: object, vault: Vault) {
    this.#spec = spec
    this.#vault = vault
    this.digest = digest(JSON.stringify(this.value))
  }

  get value(): Record<string, unknown> {
    const masked = mapSecrets(this.#spec, (secret) => this.#vault.fingerprint(secret))
    return sortMembers(masked) as Record<string, unknown>
  }
}

/** Masks specs, each object once: the reader hands the same object out while nothing changed. */
export class SpecMasker {
  readonly #vault: Vault
  readonly #known = new WeakMap<object, MaskedSpec>()

  constructor(vault: Vault) {
    this.#vault = vault
  }

  mask(spec: object): MaskedSpec {
    let masked = this.#known.get(spec)
    if (!masked) this.#known.set(spec, (masked = new MaskedObject(spec, this.#vault)))
    return masked
  }

  /** True for specs that say the same, secrets included. */
  same(a: object, b: object): boolean {
    return isPlainlySame(a, b) || this.mask(a).digest === this.mask(b).digest
  }
}

/** True for what is the same without a secret being opened: most of what is compared is, and needs no copy and no digest. */
function isPlainlySame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((value, at) => isPlainlySame(value, b[at]))
  if (!isPlain(a) || !isPlain(b)) return false
  const members = Object.keys(a)
  return (
    members.length === Object.keys(b).length &&
    members.every((member) => Object.hasOwn(b, member) && isPlainlySame(a[member], b[member]))
  )
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** A copy with the members of every object in alphabetical order, and without undefined ones. */
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

/** What may be shown of a masked value: a secret's digest becomes `***`. */
export function display(value: unknown): unknown {
  if (typeof value === 'string') return FINGERPRINT.test(value) ? MASK : value
  if (Array.isArray(value)) return value.map(display)
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, display(member)]))
}
