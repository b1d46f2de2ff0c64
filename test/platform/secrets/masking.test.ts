import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Masker } from '../../../platform/secrets/masking/masker.ts'
import { Secret } from '../../../schemas/secret.ts'

const secret = 'pa$$"w0rd/ü+&\'x y'
const masker = new Masker([new Secret(secret), 'hunter2222', 'tiny'])

test('masks a secret in every common encoding', () => {
  const json = JSON.stringify(secret)
  const forms = [
    secret,
    json,
    JSON.stringify(json),
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    new URLSearchParams({ a: 'hunter2222' }).toString(),
    Buffer.from(secret).toString('hex'),
    ...['', 'u', 'us', 'user:'].map((before) => Buffer.from(`${before}${secret}`).toString('base64')),
    ...['', 'u', 'us', 'user:'].map((before) => Buffer.from(`${before}${secret}`).toString('base64url')),
    `export A='${secret.replaceAll("'", String.raw`'\''`)}'`,
  ]
  for (const form of forms)
    expect(masker.mask(`before ${form} after`), form).toMatch(/^before .{0,16}\*\*\*.{0,8} after$/)
})

test('masks a secret interrupted by line breaks, sequences or invisible characters', () => {
  const within = [
    '\n',
    '\r\n',
    '\n    ',
    '  │\n│ ',
    '\u001b[31m',
    '\u001b[0;1;38;5;200m',
    '\u200b',
    '\u001b]0;title\u0007',
    '\b',
  ]
  for (const between of within) {
    const text = `x ${'hunter2222'.split('').join(between)} y`
    expect(masker.mask(text), JSON.stringify(between)).toBe('x *** y')
  }
  expect(masker.mask('\u001b]0;hunter2222\u0007')).toBe('\u001b]0;***\u0007')
  expect(masker.mask('\u001b[1m  hunter\n\u001b[0m  2222')).toContain('***')
})

test('masks a short value as a word, and common words never', () => {
  const short = new Masker(['abcd', 'abc', 'true', '8080'])
  expect(short.mask('abcd xabcd abcd. "abcd" abcde abc true 8080 18080')).toBe(
    '*** xabcd ***. "***" abcde abc true *** 18080',
  )
  expect(new Masker(['abc', 'true', '']).idle).toBe(true)
})

test('masks field names, texts and long numbers, but not protocol keywords', () => {
  const words = new Set(['result', 'type'])
  const own = new Masker(['result', '1234567890', 'hunter2222'], words)
  const value = { type: 'result', hunter2222: [1234567890, 'the hunter2222', 'a result'], port: 8080 }
  expect(own.maskValue(value)).toEqual({ type: 'result', '***': ['***', 'the ***', 'a ***'], port: 8080 })
  const clean = { type: 'result', list: [1, { a: null }] }
  expect(own.maskValue(clean)).toBe(clean)
  let deep: unknown = 'hunter2222'
  for (let level = 0; level < 100_000; level++) deep = [deep]
  expect(JSON.stringify(own.maskValue(deep))).not.toContain('hunter')
})

test('masks overlapping and nested secrets and lines of a key', () => {
  const key = ['-----BEGIN KEY-----', randomBytes(32).toString('base64'), randomBytes(32).toString('base64')].join('\n')
  const all = new Masker(['abcdefgh', 'efghijkl', 'cdef', key])
  expect(all.mask('abcdefghijkl')).toBe('***')
  for (const line of key.split('\n')) expect(all.mask(`> ${line}`)).toBe('> ***')
  expect(all.mask(`| ${key.replaceAll('\n', ' \r\n | ')}`)).toBe('| ***')
})

test('masks chunks of a stream as one text', () => {
  const text = 'a hunter2222 b hunter22 c hunter2222'
  for (let size = 1; size < text.length; size++) {
    const stream = masker.stream()
    let shown = ''
    for (let at = 0; at < text.length; at += size) {
      shown += stream.push(text.slice(at, at + size))
      expect(shown).not.toContain('hunter2222')
    }
    expect(shown + stream.end()).toBe('a *** b hunter22 c ***')
  }
})

/** Milliseconds of CPU time, of which other processes take none. Minimum of several runs. */
function took(work: () => void): number {
  return Math.min(
    ...Array.from({ length: 5 }, () => {
      const began = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(began)
      return (user + system) / 1000
    }),
  )
}

test('masks in time linear to the text, whatever the secrets', () => {
  const many = Array.from({ length: 50 }, () => randomBytes(24).toString('base64url'))
  const repeated = 'a'.repeat(2000)
  const cases: [what: string, secrets: string[], unit: string][] = [
    ['1 secret, prose', ['hunter2222'], 'the quick brown fox jumps over the lazy dog\n'],
    ['50 secrets, prose', many, 'the quick brown fox jumps over the lazy dog\n'],
    ['50 secrets, each of them', many, `${many.join(' ')}\n`],
    ['almost a secret', [`${repeated}b`], repeated],
    ['margins without a break', ['a         b'], `a${' '.repeat(500)}`],
    ['sequences without an end', ['hunter2222'], '\u001b]hunter\u001b['],
  ]
  for (const [what, secrets, unit] of cases) {
    const own = new Masker(secrets)
    const [small, large] = [256 * 1024, 1024 * 1024].map((size) =>
      unit.repeat(Math.ceil(size / unit.length)).slice(0, size),
    )
    const [n, fourN] = [took(() => own.mask(small!)), took(() => own.mask(large!))]
    process.stdout.write(`masking, ${what}: 256 KiB ${n.toFixed(1)} ms, 1 MiB ${fourN.toFixed(1)} ms\n`)
    expect(fourN, what).toBeLessThan(Math.max(n, 10) * 10)
  }
})
