import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readNotify } from '../../daemon/notify.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-notify-'))))
afterAll(() => rmSync(folder, { recursive: true }))

const env = { HOOK_SECRET: 'whsec_b3BlbiBzZXNhbWU=' }
function read(text: string) {
  const configFile = join(folder, 'config.yaml')
  writeFileSync(configFile, text)
  return readNotify({ configFile }, { home: folder, env })
}

test('has no sinks without a file or section', () => {
  expect(readNotify({}, { home: folder, env: {} })).toEqual({ sinks: [] })
  expect(read('sources: []\n')).toEqual({ sinks: [] })
})

test('reads sinks and quiet hours, with secrets from the environment', () => {
  const text = `
notify:
  deduplicate_secs: 60
  quiet_hours: { from: "22:00", to: "07:00", timezone: Europe/Berlin, except: High }
  sinks:
    - { name: hook, type: webhook, url: "https://example.com/in", secret: "\${HOOK_SECRET}" }
    - { name: own, type: command, command: [notify-send, "\${HOOK_SECRET}"] }
`
  expect(read(text)).toEqual({
    deduplicate_secs: 60,
    quiet_hours: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin', except: 'High' },
    sinks: [
      { name: 'hook', type: 'webhook', url: 'https://example.com/in', secret: env.HOOK_SECRET },
      { name: 'own', type: 'command', command: ['notify-send', '${HOOK_SECRET}'] },
    ],
  })
})

test.each([
  ['sinks: [{ name: a, type: email }]', 'type'],
  ['sinks: [{ name: a, type: webhook }]', 'url'],
  ['sinks: [{ name: a, type: webhook, url: "ftp://x" }]', 'url'],
  ['sinks: [{ name: a, type: command, command: [] }]', 'command'],
  ['sinks: [{ name: a, type: command, command: [x], min_priority: high }]', 'min_priority'],
  ['sinks: [{ name: a, type: ntfy, url: "https://ntfy.sh", topic: "a b" }]', 'topic'],
  [
    'sinks: [{ name: a, type: command, command: [x] }, { name: a, type: command, command: [y] }]',
    'two sinks named "a"',
  ],
  [
    'sinks: [{ name: a, type: webhook, url: "https://x", secret: "${NOT_SET}" }]',
    'the variable NOT_SET, which is not set',
  ],
  ['quiet_hours: { from: "25:00", to: "07:00" }', 'quiet_hours.from'],
  ['quiet_hours: { from: "22:00", to: "07:00", timezone: Nowhere }', '"Nowhere" is not an IANA time zone'],
  ['sink: []', 'sink'],
])('rejects %s with the file and %s', (text, what) => {
  expect(() => read(`notify:\n  ${text}\n`)).toThrow(what)
  expect(() => read(`notify:\n  ${text}\n`)).toThrow(join(folder, 'config.yaml'))
})
