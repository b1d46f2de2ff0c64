import { expect, test } from 'vitest'
import { isLoopback, readConfig } from '../../../platform/core/config.ts'

test('defaults to a development daemon on loopback', () => {
  const config = readConfig({ HOME: '/home/ann' })
  expect(config).toMatchObject({
    production: false,
    bind: '127.0.0.1',
    dataDir: '/home/ann/.local/share/svc',
    databaseUrl: 'sqlite:/home/ann/.local/share/svc/svc.db',
    keyFile: '/home/ann/.local/share/svc/key',
    logFormat: 'text',
    tokensFile: '/home/ann/.local/share/svc/tokens.json',
    auth: false,
  })
  expect(config.port({ service: 'notes', port: 17099 })).toBe(17099)
})

test('subtracts 10,000 from production ports, unless they are set', () => {
  const production = readConfig({ HOME: '/h', SVC_ENV: 'production', SVC_TASKS_PORT: '0' })
  expect(production.port({ service: 'notes', port: 17099 })).toBe(7099)
  expect(production.port({ service: 'tasks', port: 17098 })).toBe(0)
})

test('prefers a documented port variable and rejects an invalid port', () => {
  const config = readConfig({ HOME: '/h', PORT: '8080', SVC_NOTES_PORT: 'many' })
  expect(config.port({ service: 'notes', port: 17099 }, ['PORT'])).toBe(8080)
  expect(() => config.port({ service: 'notes', port: 17099 })).toThrow(/SVC_NOTES_PORT should be .* "many"/)
})

test('requires tokens with a tokens file or SVC_AUTH', () => {
  expect(readConfig({ HOME: '/h', SVC_TOKENS_FILE: '/t' })).toMatchObject({ tokensFile: '/t', auth: true })
  expect(readConfig({ HOME: '/h', SVC_TOKENS_FILE: '/t', SVC_AUTH: 'off' })).toMatchObject({ auth: false })
  expect(readConfig({ HOME: '/h', SVC_AUTH: 'on' })).toMatchObject({
    tokensFile: '/h/.local/share/svc/tokens.json',
    auth: true,
  })
  expect(() => readConfig({ HOME: '/h', SVC_AUTH: 'yes' })).toThrow(/SVC_AUTH should be on or off, instead got "yes"/)
  expect(() => readConfig({ HOME: '/h', SVC_BIND: '::', SVC_TOKENS_FILE: '/t', SVC_AUTH: 'off' })).toThrow(/SVC_BIND/)
})

test('accepts webhooks without a secret only on loopback without tokens, unless set', () => {
  const open = (env: Record<string, string>) => readConfig({ HOME: '/h', ...env }).openWebhooks
  const [tokens, bound] = [{ SVC_AUTH: 'on' }, { SVC_BIND: '0.0.0.0', SVC_TOKENS_FILE: '/t' }]
  expect([open({}), open(tokens), open(bound)]).toEqual([true, false, false])
  expect([{}, tokens, bound].map((env) => open({ ...env, SVC_OPEN_WEBHOOKS: 'on' }))).toEqual([true, true, true])
  expect(open({ SVC_OPEN_WEBHOOKS: 'off' })).toBe(false)
  expect(() => open({ SVC_OPEN_WEBHOOKS: '1' })).toThrow(/SVC_OPEN_WEBHOOKS should be on or off, instead got "1"/)
})

test('keeps rows for 90 days by default', () => {
  expect(readConfig({ HOME: '/h' }).retentionDays).toBe(90)
  expect(readConfig({ HOME: '/h', SVC_RETENTION_DAYS: '7.5' }).retentionDays).toBe(7.5)
  for (const given of ['0', 'long', '-1', '1e9'])
    expect(() => readConfig({ HOME: '/h', SVC_RETENTION_DAYS: given })).toThrow(
      `SVC_RETENTION_DAYS should be a number from 1 to 36500, instead got "${given}"`,
    )
})

test('requires tokens for a non-loopback address', () => {
  expect(() => readConfig({ HOME: '/h', SVC_BIND: '0.0.0.0' })).toThrow(/set SVC_TOKENS_FILE first/)
  expect(readConfig({ HOME: '/h', SVC_BIND: '0.0.0.0', SVC_TOKENS_FILE: '/t' }).bind).toBe('0.0.0.0')
  expect(['127.0.0.1', '127.8.9.1', '::1', 'localhost', '10.0.0.1'].map(isLoopback)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ])
})
