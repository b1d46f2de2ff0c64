import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mapSecrets, Vault } from '../../../platform/secrets/vault.ts'
import { Secret } from '../../../schemas/secret.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-vault-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const vault = Vault.ephemeral()
const other = Vault.ephemeral()

test('seals and opens a secret without revealing it', () => {
  for (const text of ['hunter2', '', 'ünïcode \0 \n', 'x'.repeat(100_000)]) {
    const sealed = vault.seal(new Secret(text))
    if (text !== '') expect(sealed).not.toContain(text)
    expect(vault.open(sealed).reveal()).toBe(text)
  }
})

test('seals the same secret differently each time', () => {
  expect(vault.seal(new Secret('x'))).not.toBe(vault.seal(new Secret('x')))
})

test('does not open text of another key or altered text', () => {
  const sealed = vault.seal(new Secret('hunter2'))
  expect(() => other.open(sealed)).toThrow()
  const bytes = Buffer.from(sealed.slice('sealed:v1:'.length), 'base64')
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    expect(() => vault.open(`sealed:v1:${changed.toString('base64')}`)).toThrow()
  }
})

test('preserves nested secrets in JSON without revealing them', () => {
  const value = {
    plain: [1, null, 'text'],
    env: { TOKEN: new Secret('hunter2') },
    list: [new Secret('hunter3'), { deep: new Secret('hunter4') }],
  }
  const text = vault.stringify(value)
  expect(text).not.toContain('hunter')
  const reveal = (parsed: unknown) => mapSecrets(parsed, (secret) => `revealed ${secret.reveal()}`)
  expect(reveal(vault.parse(text))).toEqual(reveal(value))
  expect(vault.parse(text).env.TOKEN).toBeInstanceOf(Secret)
})

test('fingerprints secrets differently, and per key', () => {
  const [print, same, different] = ['a', 'a', 'b'].map((text) => vault.fingerprint(new Secret(text)))
  expect(print).toBe(same)
  expect(print).not.toBe(different)
  expect(print).not.toBe(other.fingerprint(new Secret('a')))
  expect(print).toMatch(/^\*\*\*[0-9a-f]{16}$/)
})

test('creates a private key file once', () => {
  const file = join(folder, 'below', 'key')
  const sealed = Vault.open(file).seal(new Secret('hunter2'))
  const key = readFileSync(file, 'utf8')
  expect(Vault.open(file).open(sealed).reveal()).toBe('hunter2')
  expect(readFileSync(file, 'utf8')).toBe(key)
  expect([statSync(file).mode & 0o777, statSync(join(folder, 'below')).mode & 0o777]).toEqual([0o600, 0o700])
})

test('rejects a key file of the wrong length with a remedy', () => {
  const file = join(folder, 'short')
  writeFileSync(file, 'abcd')
  expect(() => Vault.open(file)).toThrow(/the key has 2 bytes, expected 32; remove the file/)
})
