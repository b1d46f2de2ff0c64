// Specs in comparable form: members in one order, secrets as keyed digests.
import { createHash } from 'node:crypto'
import { mapSecrets, type Vault } from '../platform/vault.ts'
import { MASK } from '../schemas/secret.ts'

/** A spec without secrets: what is compared, hashed and stored in records. */
export interface Masked {
  /** Parsed anew at each use: of thousands of specs only those that differ are ever looked into. */
  readonly value: Record<string, unknown>
  /** Stable JSON of `value`: equal text means equal spec. */
  readonly text: string
}

class MaskedText implements Masked {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  get value(): Record<string, unknown> {
    return JSON.parse(this.text)
  }
}

/** Makes comparable forms, each spec object once: the reader hands the same object out while nothing changed. */
export class Canon {
  readonly #vault: Vault
  readonly #known = new WeakMap<object, Masked>()

  constructor(vault: Vault) {
    this.#vault = vault
  }

  mask(spec: object): Masked {
    let masked = this.#known.get(spec)
    if (!masked) {
      masked = new MaskedText(
        JSON.stringify(sortMembers(mapSecrets(spec, (secret) => this.#vault.fingerprint(secret)))),
      )
      this.#known.set(spec, masked)
    }
    return masked
  }
}

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
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

const FINGERPRINT = /^\*\*\*[0-9a-f]{16}$/

/** What may be shown of a masked value: a secret's digest becomes `***`. */
export function display(value: unknown): unknown {
  if (typeof value === 'string') return FINGERPRINT.test(value) ? MASK : value
  if (Array.isArray(value)) return value.map(display)
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, display(member)]))
}
