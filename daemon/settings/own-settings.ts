// Settings of the daemon itself, as `platform/core/config.ts` reads them.
import type { Config } from '../../platform/core/config.ts'
import type { Declared, Meaning, SettingValue } from './declared.ts'

const MIB = 1024 * 1024

type Own = Meaning & { variables: readonly string[]; value(config: Config): SettingValue }

const set = (variables: string, value: Own['value'], description: string, unit?: Meaning['unit']): Own => ({
  variables: variables.split(' '),
  value,
  description,
  ...(unit ? { unit } : {}),
})

const OWN: Readonly<Record<string, Own>> = {
  dataDir: set(
    'SVC_DATA_DIR',
    (config) => config.dataDir,
    'Folder of the database, the key, launch files and checkouts',
  ),
  databaseUrl: set('SVC_DATABASE_URL', (config) => config.databaseUrl, 'Address of the database'),
  env: set(
    'SVC_ENV',
    (config) => (config.production ? 'production' : 'development'),
    'production subtracts 10000 from every port',
  ),
  bind: set('SVC_BIND', (config) => config.bind, 'Address that the ports are bound to'),
  auth: set('SVC_AUTH', (config) => onOff(config.auth), 'Whether every request needs a token'),
  tokensFile: set('SVC_TOKENS_FILE', (config) => config.tokensFile, 'File of the API tokens, by their digests'),
  openWebhooks: set(
    'SVC_OPEN_WEBHOOKS',
    (config) => onOff(config.openWebhooks),
    'Whether webhook deliveries for workflows without a secret are accepted',
  ),
  hosts: set('SVC_HOSTS', (config) => config.hosts, 'Names of the Host header that are accepted besides localhost'),
  publicUrl: set('SVC_PUBLIC_URL', (config) => config.publicUrl?.href ?? null, 'Address of the daemon behind a proxy'),
  trustedProxies: set(
    'SVC_TRUSTED_PROXIES',
    ({ env }) => textsOf(env.SVC_TRUSTED_PROXIES),
    'Proxies whose X-Forwarded headers are believed',
  ),
  keyFile: set('SVC_KEY_FILE', (config) => config.keyFile, 'File of the key that encrypts secrets'),
  serviceTokenFile: set(
    'SVC_SERVICE_TOKEN_FILE',
    (config) => config.serviceTokenFile,
    'File of the token that the processes of this system share',
  ),
  logLevel: set('RUST_LOG SVC_LOG_LEVEL', (config) => config.logLevel, 'Least level of the log'),
  logFormat: set('SVC_LOG_FORMAT', (config) => config.logFormat, 'Format of the log: text or json'),
  retentionDays: set(
    'SVC_RETENTION_DAYS',
    (config) => config.retentionDays,
    'Retention of audit rows and closed drift records',
    'days',
  ),
  limitsFor: set('SVC_LIMITS_FOR', (config) => config.limitsFor, 'Callers that limits apply to: agents or everyone'),
  minFreeDisk: set(
    'SVC_MIN_FREE_DISK',
    (config) => config.minFreeDisk / MIB,
    'Space that must stay free on the disk of the data folder; below it, nothing is added',
    'MiB',
  ),
  muxSocket: set('SVC_MUX_SOCKET', (config) => config.muxSocket, 'Name of the tmux socket of agents'),
  userMuxSocket: set('SVC_USER_MUX_SOCKET', (config) => config.userMuxSocket, 'Name of your own tmux socket'),
}

const SECRETS: readonly Declared[] = [
  secret('daemon', 'token', 'SVC_TOKEN', 'Token for services in other processes'),
  secret('orchestrator', 'forgeToken', 'SVC_FORGE_TOKEN GITHUB_TOKEN', 'Token for the forge'),
  secret('index', 'embeddingKey', 'SVC_INDEX_EMBEDDING_KEY', 'Bearer token for the endpoint of models'),
]

function secret(service: string, name: string, variables: string, description: string): Declared {
  return { service, name, variables: variables.split(' '), description, secret: true, value: () => null, default: null }
}

export const ownSettings: readonly Declared[] = [
  ...Object.entries(OWN).map(([name, own]): Declared => ({ service: 'daemon', name, ...own })),
  ...SECRETS,
]

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off')

function textsOf(given = ''): string[] {
  return given
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}
