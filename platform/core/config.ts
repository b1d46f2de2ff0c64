// Reads the configuration from the environment once. The only file that reads process.env.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Problem } from './problem.ts'
import { readProxySettings, type ProxySettings } from './proxies.ts'

export interface Config extends ProxySettings {
  readonly production: boolean
  readonly dataDir: string
  readonly databaseUrl: string
  readonly keyFile: string
  readonly runtimeFile: string
  /** Shared by the processes of this system. */
  readonly serviceTokenFile: string
  readonly bind: string
  /** The file need not exist while `auth` is off. */
  readonly tokensFile: string
  readonly configFile: string
  /** Requires a token for every request, even from the daemon's own user. */
  readonly auth: boolean
  /** Accepts webhook deliveries for workflows whose trigger has no secret. */
  readonly openWebhooks: boolean
  readonly logLevel: string
  readonly logFormat: 'text' | 'json'
  readonly muxSocket: string
  /** Retention of audit rows and closed drift records. */
  readonly retentionDays: number
  /** Callers that limits apply to: agents only, or people and tokens as well. */
  readonly limitsFor: 'agents' | 'everyone'
  /** Bytes that must stay free in the data folder; below, nothing is added. */
  readonly minFreeDisk: number
  /** Socket name of the user's own tmux server. */
  readonly userMuxSocket: string
  /** Accepted values of the Host header besides localhost. */
  readonly hosts: readonly string[]
  readonly home: string
  /**
   * Returns the first `documented` variable that is set, else SVC_<SERVICE>_PORT, else the default (minus 10000 in
   * production). Throws 400 for an invalid port.
   */
  port(service: { service: string; port: number }, documented?: readonly string[]): number
  /** For `${VAR}` in manifests and variables that agents inherit. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Throws a Problem that lists every invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const home = env.HOME ?? homedir()
  // Absolute, because the daemon changes its working directory.
  const dataDir = resolve(env.SVC_DATA_DIR || join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'svc'))
  const production = env.SVC_ENV === 'production'
  const bind = env.SVC_BIND || '127.0.0.1'
  const faults: string[] = []
  const auth = readSwitch(env, 'SVC_AUTH', Boolean(env.SVC_TOKENS_FILE), faults)
  const openWebhooks = readSwitch(env, 'SVC_OPEN_WEBHOOKS', isLoopback(bind) && !auth, faults)
  if (!isLoopback(bind) && !auth)
    faults.push(
      `SVC_BIND=${bind} opens the daemon to other machines: set SVC_TOKENS_FILE first (or SVC_AUTH=on), or bind 127.0.0.1`,
    )
  const retentionDays = Number(env.SVC_RETENTION_DAYS || RETENTION_DAYS)
  if (!(retentionDays >= 1 && retentionDays <= MOST_DAYS))
    faults.push(`SVC_RETENTION_DAYS should be a number from 1 to ${MOST_DAYS}, instead got "${env.SVC_RETENTION_DAYS}"`)
  const { limitsFor, minFreeDisk } = readLimits(env, faults)
  const config: Config = {
    production,
    dataDir,
    databaseUrl: absoluteUrl(env.SVC_DATABASE_URL || `sqlite:${join(dataDir, 'svc.db')}`),
    keyFile: resolve(env.SVC_KEY_FILE || join(dataDir, 'key')),
    runtimeFile: join(dataDir, 'runtime.json'),
    serviceTokenFile: resolve(env.SVC_SERVICE_TOKEN_FILE || join(dataDir, 'service-token')),
    bind,
    tokensFile: resolve(env.SVC_TOKENS_FILE || join(dataDir, 'tokens.json')),
    configFile: usualConfigFile({ home, env }),
    auth,
    openWebhooks,
    logLevel: (env.RUST_LOG || env.SVC_LOG_LEVEL || 'info').toLowerCase(),
    logFormat: env.SVC_LOG_FORMAT === 'json' ? 'json' : 'text',
    muxSocket: env.SVC_MUX_SOCKET || 'svc',
    retentionDays,
    limitsFor,
    minFreeDisk,
    userMuxSocket: env.SVC_USER_MUX_SOCKET || 'default',
    hosts: (env.SVC_HOSTS ?? '')
      .split(',')
      .map((host) => host.trim())
      .filter(Boolean),
    ...readProxySettings(env, !auth, faults),
    home,
    port: (service, documented) => portOf(env, production, service, documented),
    env,
  }
  if (faults.length > 0) throw new Problem(400, faults.join('; '))
  return Object.freeze(config)
}

export function usualConfigFile({ home, env }: Pick<Config, 'home' | 'env'>): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'svc', 'config.yaml')
}

/** Adds a fault if the variable is neither `on`, `off` nor empty. */
function readSwitch(env: NodeJS.ProcessEnv, name: string, unset: boolean, faults: string[]): boolean {
  const given = env[name] || (unset ? 'on' : 'off')
  if (given !== 'on' && given !== 'off') faults.push(`${name} should be on or off, instead got "${given}"`)
  return given === 'on'
}

const MIB = 1024 * 1024
const MIN_FREE_MIB = 256

/** Adds to `faults`. */
function readLimits(env: NodeJS.ProcessEnv, faults: string[]): Pick<Config, 'limitsFor' | 'minFreeDisk'> {
  const limitsFor = env.SVC_LIMITS_FOR || 'agents'
  if (limitsFor !== 'agents' && limitsFor !== 'everyone')
    faults.push(`SVC_LIMITS_FOR should be agents or everyone, instead got "${limitsFor}"`)
  const free = Number(env.SVC_MIN_FREE_DISK || MIN_FREE_MIB)
  if (!(free >= 0)) faults.push(`SVC_MIN_FREE_DISK should be a number of MiB, instead got "${env.SVC_MIN_FREE_DISK}"`)
  return { limitsFor: limitsFor as Config['limitsFor'], minFreeDisk: free * MIB }
}

function absoluteUrl(url: string): string {
  const [, scheme, file] = /^(sqlite:(?:\/\/)?)(.*)$/.exec(url) ?? []
  return scheme === undefined || file === undefined || file === ':memory:' ? url : scheme + resolve(file)
}

const MOST_PORT = 65_535
const RETENTION_DAYS = 90
const MOST_DAYS = 36_500

export const portVariable = ({ service }: { service: string }): string => `SVC_${service.toUpperCase()}_PORT`

function portOf(
  env: NodeJS.ProcessEnv,
  production: boolean,
  { service, port }: { service: string; port: number },
  documented: readonly string[] = [],
): number {
  const names = [...documented, portVariable({ service })]
  const name = names.find((each) => env[each] !== undefined && env[each] !== '')
  if (name === undefined) return port - (production ? 10_000 : 0)
  const value = Number(env[name])
  if (Number.isInteger(value) && value >= 0 && value <= MOST_PORT) return value
  throw new Problem(400, `${name} should be a number from 0 to ${MOST_PORT}, instead got "${env[name]}"`)
}

/** Null for an in-memory or server database. */
export function sqliteFile(url: string): string | null {
  const file = url.replace(/^sqlite:(\/\/)?/, '')
  return /^postgres(ql)?:/.test(url) || file === ':memory:' ? null : file
}

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || address.startsWith('127.')
}
