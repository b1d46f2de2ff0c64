import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configuredSandbox } from '../../../controller/reading/rules/config-file.ts'
import { services, PRIMARY } from '../../../daemon/services.ts'
import { readFileSettings } from '../../../daemon/settings/file-settings.ts'
import { meanings } from '../../../daemon/settings/meanings.ts'
import { ownSettings } from '../../../daemon/settings/own-settings.ts'
import { shownSettings } from '../../../daemon/settings/shown-settings.ts'
import { readDocuments } from '../../../daemon/sources.ts'
import { readConfig } from '../../../platform/core/config.ts'
import { variableOf, type Settings } from '../../../platform/service/settings.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')
const all = services({ sources: [] })
let home: string
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'svc-settings-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** `file`: text of the configuration file. */
function shown(env: Record<string, string> = {}, { file, only }: { file?: string; only?: string } = {}) {
  const read = readConfig({ HOME: home, ...env })
  const path = join(home, 'team.yaml')
  if (file !== undefined) writeFileSync(path, file)
  const config = file === undefined ? read : { ...read, configFile: path }
  const options = file === undefined ? {} : { configFile: path }
  const parts = { documents: readDocuments(options, config), defaultSandbox: configuredSandbox(options, config) }
  const settings = shownSettings({
    config,
    services: all.filter(({ name }) => only === undefined || name === only),
    primary: PRIMARY,
    written: readFileSettings(options, config, parts),
  })
  return {
    settings,
    path,
    of: (service: string, name: string) => settings.find((each) => each.service === service && each.name === name),
  }
}

const usual = { from: 'default', variable: null, file: null, line: null }

describe('the list of settings', () => {
  const settingsOf = all.flatMap(({ name, definition }) =>
    Object.entries(definition.settings as Settings).map(([setting, each]) => variableOf(name, setting, each)),
  )

  test('has a meaning for each setting of a service, and no other', () => {
    expect(Object.keys(meanings).toSorted()).toEqual([...new Set(settingsOf)].toSorted())
  })

  test('names each variable that the configuration reads', () => {
    const read = ['config.ts', 'proxies.ts'].flatMap((file) =>
      readFileSync(join(root, 'platform/core', file), 'utf8').match(/\b(?:SVC_[A-Z_]*[A-Z]|RUST_LOG)\b/g)!,
    )
    const named = ownSettings.flatMap(({ variables }) => variables)
    expect(named).toEqual(expect.arrayContaining([...new Set(read)]))
  })

  test('names each documented variable', () => {
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
    const [tables] = page.slice(page.indexOf('## Variables')).split('### Commands')
    const documented = tables!.split('\n').flatMap((line) => line.split('|')[1]?.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [])
    const named = new Set(
      [...shown().settings, ...shown({}, { only: 'notify' }).settings].flatMap((each) => each.variables),
    )
    expect(documented.length).toBeGreaterThan(80)
    expect(documented.filter((each) => !named.has(each))).toEqual([])
  })

  test('has a description and a unique name for each', () => {
    const { settings } = shown()
    expect(settings.filter(({ description }) => description === '')).toEqual([])
    const names = settings.map(({ service, name }) => `${service} ${name}`)
    expect(names).toEqual([...new Set(names)])
  })
})

test('shows defaults with their units', () => {
  const { of } = shown()
  expect(of('controller', 'drainTimeoutSecs')).toEqual({
    service: 'controller',
    name: 'drainTimeoutSecs',
    variables: ['SVC_DRAIN_TIMEOUT_SECS'],
    value: 600,
    default: 600,
    unit: 's',
    description: 'How long a manifest change waits for a busy agent',
    secret: false,
    origin: usual,
  })
  expect(of('daemon', 'dataDir')).toMatchObject({ value: join(home, '.local/share/svc'), origin: usual })
  expect(of('daemon', 'minFreeDisk')).toMatchObject({ value: 256, default: 256, unit: 'MiB' })
  expect(of('daemon', 'defaultSandbox')).toMatchObject({ variables: [], value: 'auto', origin: usual })
  expect(of('notify', 'deduplicateSecs')).toMatchObject({ value: 300, default: 300, unit: 's', origin: usual })
  expect(of('orchestrator', 'port')).toMatchObject({ variables: ['PORT', 'SVC_ORCHESTRATOR_PORT'], value: 17006 })
})

test('names the variable that sets a value, and the default without it', () => {
  const { of } = shown({
    SVC_DRAIN_TIMEOUT_SECS: '5',
    SVC_LOG_LEVEL: 'debug',
    SVC_NOTIFY_PORT: '1234',
    SVC_SETTLE_SECS: '',
    SVC_NOTIFY_URL: 'http://10.0.0.1:1',
    SVC_CONDUCTOR_REVIEWERS: 'ada, lin',
  })
  const environment = (variable: string) => ({ ...usual, from: 'environment', variable })
  expect(of('controller', 'drainTimeoutSecs')).toMatchObject({
    value: 5,
    default: 600,
    origin: environment('SVC_DRAIN_TIMEOUT_SECS'),
  })
  expect(of('daemon', 'logLevel')).toMatchObject({
    variables: ['RUST_LOG', 'SVC_LOG_LEVEL'],
    value: 'debug',
    default: 'info',
    origin: environment('SVC_LOG_LEVEL'),
  })
  expect(of('notify', 'port')).toMatchObject({ value: 1234, default: 17004, origin: environment('SVC_NOTIFY_PORT') })
  expect(of('notify', 'url')).toMatchObject({ value: 'http://10.0.0.1:1', default: null })
  expect(of('controller', 'settleSecs')).toMatchObject({ value: 0.25, origin: usual })
  expect(of('conductor', 'reviewers')).toMatchObject({ value: ['ada', 'lin'], default: [] })
})

test('shows a default that depends on other variables', () => {
  const { of } = shown({ SVC_TOKENS_FILE: '/srv/tokens.json', SVC_BIND: '0.0.0.0' })
  expect(of('daemon', 'auth')).toMatchObject({ value: 'on', default: 'on', origin: usual })
  expect(of('daemon', 'openWebhooks')).toMatchObject({ value: 'off', default: 'off' })
  // Without it, the address would be refused.
  expect(of('daemon', 'tokensFile')).toMatchObject({
    value: '/srv/tokens.json',
    default: join(home, '.local/share/svc/tokens.json'),
  })
})

test('names the line of the configuration file', () => {
  const text = [
    'sources:',
    '  - name: team',
    '    directory: team',
    '  - { name: ops, git: { url: "https://example.org/ops.git" } }',
    'notify:',
    '  deduplicate_secs: 60',
    '  quiet_hours: { from: "22:00", to: "07:00" }',
    '  sinks:',
    '    - { name: phone, type: ntfy, url: "https://ntfy.example.org", topic: t, token: hidden-token }',
    'documents:',
    '  path: notes',
    'default_sandbox: on',
    '',
  ].join('\n')
  const { of, path, settings } = shown({}, { file: text })
  const line = (at: number) => ({ from: 'file', variable: null, file: path, line: at })
  expect(of('daemon', 'configFile')).toMatchObject({ value: path, origin: { from: 'option' } })
  expect(of('controller', 'sources.team')).toMatchObject({ value: 'team', origin: line(2) })
  expect(of('controller', 'sources.ops')).toMatchObject({ value: 'https://example.org/ops.git', origin: line(4) })
  expect(of('notify', 'deduplicateSecs')).toMatchObject({ value: 60, default: 300, origin: line(6) })
  expect(of('notify', 'quietHours')).toMatchObject({ value: '22:00 to 07:00 UTC', default: null, origin: line(7) })
  expect(of('notify', 'sinks.phone')).toMatchObject({ value: 'ntfy', origin: line(9) })
  expect(of('docstore', 'documentsPath')).toMatchObject({
    variables: ['DOCSTORE_DOCUMENTS_PATH'],
    value: join(home, 'notes'),
    default: 'documents',
    origin: line(11),
  })
  expect(of('docstore', 'documentsEnabled')).toMatchObject({ value: 'true', origin: usual })
  expect(of('daemon', 'defaultSandbox')).toMatchObject({
    value: expect.stringContaining('"mode":"all"'),
    default: 'auto',
    origin: line(12),
  })
  expect(JSON.stringify(settings)).not.toContain('hidden-token')
})

test('prefers a variable to the configuration file, as the service does', () => {
  const { of } = shown({ DOCSTORE_DOCUMENTS_PATH: '/srv/notes' }, { file: 'documents: { path: notes }\n' })
  expect(of('docstore', 'documentsPath')).toMatchObject({ value: '/srv/notes', origin: { from: 'environment' } })
})

test('shows of a secret only whether it is set', () => {
  const { of, settings } = shown({ GITHUB_TOKEN: 'short', SVC_INDEX_EMBEDDING_KEY: 'a-long-secret-key' })
  expect(of('orchestrator', 'forgeToken')).toMatchObject({
    value: 'set',
    default: 'not set',
    secret: true,
    origin: { from: 'environment', variable: 'GITHUB_TOKEN' },
  })
  expect(of('index', 'embeddingKey')).toMatchObject({ value: 'set', secret: true })
  expect(of('daemon', 'token')).toMatchObject({ value: 'not set', secret: true, origin: usual })
  expect(JSON.stringify(settings)).not.toMatch(/"short"|a-long-secret-key/)
})

test('redacts secrets in other values', () => {
  const secrets = { TEAM_TOKEN: 'secret-of-the-team' }
  const { of, settings } = shown({
    ...secrets,
    SVC_DATABASE_URL: 'postgres://mia:pw/d@db.example.org/svc?sslpassword=abc&application_name=svc',
    SVC_INDEX_EMBEDDING_ENDPOINT: 'https://u:p@models.example.org/v1',
    SVC_AGENT_COMMAND: 'claude --key secret-of-the-team',
  })
  expect(of('daemon', 'databaseUrl')!.value).toBe(
    'postgres://***@db.example.org/svc?sslpassword=***&application_name=svc',
  )
  expect(of('index', 'embeddingEndpoint')!.value).toBe('https://***@models.example.org/v1')
  expect(of('orchestrator', 'agentCommand')!.value).toBe('claude --key ***')
  expect(JSON.stringify(settings)).not.toContain('secret-of-the-team')
})

test('lists the services of this process only', () => {
  const { of, settings } = shown({}, { only: 'notify' })
  expect(of('notify', 'port')).toMatchObject({ variables: ['PORT', 'SVC_PORT', 'SVC_NOTIFY_PORT'] })
  const names = new Set(settings.filter(({ name }) => name !== 'url').map(({ service }) => service))
  expect([...names].toSorted()).toEqual(['daemon', 'docstore', 'notify'])
})
