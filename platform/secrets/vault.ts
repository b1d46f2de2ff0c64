import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Secret } from '../../schemas/secret.ts'

const SEALED = 'sealed:v1:'

export class Vault {
  readonly #key: Buffer

  constructor(key: Buffer) {
    if (key.length !== 32)
      throw new Error(
        `the key has ${key.length} bytes, expected 32; remove the file to create a new key (stored secrets will be lost)`,
      )
    this.#key = key
  }

  /** Creates a missing key file, readable only by its owner. */
  static open(file: string): Vault {
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
    }
    return new Vault(Buffer.from(readFileSync(file, 'utf8').trim(), 'hex'))
  }

  /** Uses a random key, for comparisons without storage. */
  static ephemeral(): Vault {
    return new Vault(randomBytes(32))
  }

  seal(secret: Secret): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv)
    const body = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()])
    return SEALED + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
  }

  /** Throws if the text was sealed with another key. */
  open(sealed: string): Secret {
    const bytes = Buffer.from(sealed.slice(SEALED.length), 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return new Secret(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8'))
  }

  /** Returns a keyed digest, equal for equal secrets. */
  fingerprint(secret: Secret): string {
    return `***${createHmac('sha256', this.#key).update(secret.reveal()).digest('hex').slice(0, 16)}`
  }

  stringify(value: unknown): string {
    return JSON.stringify(mapSecrets(value, (secret) => ({ $sealed: this.seal(secret) })))
  }

  parse(text: string): any {
    return JSON.parse(text, (_key, value) => (isSealed(value) ? this.open(value.$sealed) : value))
  }
}

function isSealed(value: unknown): value is { $sealed: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { $sealed?: unknown }).$sealed === 'string' &&
    (value as { $sealed: string }).$sealed.startsWith(SEALED)
  )
}

export function mapSecrets(value: unknown, turn: (secret: Secret) => unknown): unknown {
  if (value instanceof Secret) return turn(value)
  if (Array.isArray(value)) return value.map((item) => mapSecrets(item, turn))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapSecrets(item, turn)]))
  return value
}
