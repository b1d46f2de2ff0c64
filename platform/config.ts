// The configuration, read from the environment once and frozen. The one file that reads process.env.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Problem } from './problem.ts'

/** Services with their development ports; production ports are 10000 less. */
export const SERVICE_PORTS = {
  controller: 17000,
  ask: 17001,
  monitor: 17003,
  notify: 17004,
  wrap: 17005,
  orchestrator: 17006,
  docstore: 17008,
  communicate: 17010,
  index: 17012,
} as const
export type ServiceName = keyof typeof SERVICE_PORTS

export interface Config {
  readonly production: boolean
  readonly dataDir: string
  readonly databaseUrl: string
  readonly keyFile: string
  readonly runtimeFile: string
  readonly bind: string
  readonly tokensFile: string | null
  readonly ports: Readonly<Record<ServiceName, number>>
  readonly logLevel: string
  readonly logFormat: 'text' | 'json'
  readonly muxSocket: string
  readonly agentCommand: string
  /** Seconds a held tool request may wait for a person. */
  readonly approvalTimeoutSecs: number
  /** Seconds a manifest change waits for a busy agent before it restarts it all the same. */
  readonly drainTimeoutSecs: number
  /** Names beside localhost that the Host header may carry. */
  readonly hosts: readonly string[]
  readonly home: string
  /** The environment as a whole: for `${VAR}` in manifests and the few variables an agent inherits. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Throws a Problem that names every ill-formed variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env, options: { alone?: ServiceName } = {}): Config {
  const faults: string[] = []
  const number = (name: string, fallback: number, least = 0): number => {
    const text = env[name]
    if (text === undefined || text === '') return fallback
    const value = Number(text)
    if (Number.isFinite(value) && value >= least) return value
    faults.push(`${name} should be a number of at least ${least}, instead got "${text}"`)
    return fallback
  }
  const home = env.HOME ?? homedir()
  const dataDir = env.SVC_DATA_DIR || join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'svc')
  const production = env.SVC_ENV === 'production'
  const bind = env.SVC_BIND || '127.0.0.1'
  const tokensFile = env.SVC_TOKENS_FILE || null
  if (!isLoopback(bind) && !tokensFile)
    faults.push(`SVC_BIND=${bind} opens the daemon to other machines: set SVC_TOKENS_FILE first, or bind 127.0.0.1`)
  const ports = Object.fromEntries(
    (Object.keys(SERVICE_PORTS) as ServiceName[]).map((service) => {
      const own = number(`SVC_${service.toUpperCase()}_PORT`, SERVICE_PORTS[service] - (production ? 10_000 : 0))
      const documented =
        options.alone === service ? (env.PORT ?? env.SVC_PORT) : service === 'orchestrator' ? env.PORT : undefined
      return [service, documented ? number(env.PORT === documented ? 'PORT' : 'SVC_PORT', own) : own]
    }),
  ) as Record<ServiceName, number>
  const config: Config = {
    production,
    dataDir,
    databaseUrl: env.SVC_DATABASE_URL || `sqlite:${join(dataDir, 'svc.db')}`,
    keyFile: env.SVC_KEY_FILE || join(dataDir, 'key'),
    runtimeFile: join(dataDir, 'runtime.json'),
    bind,
    tokensFile,
    ports,
    logLevel: (env.RUST_LOG || env.SVC_LOG_LEVEL || 'info').toLowerCase(),
    logFormat: env.SVC_LOG_FORMAT === 'json' ? 'json' : 'text',
    muxSocket: env.SVC_MUX_SOCKET || 'svc',
    agentCommand: env.SVC_AGENT_COMMAND || 'claude',
    approvalTimeoutSecs: number('SVC_APPROVAL_TIMEOUT_SECS', 300, 1),
    drainTimeoutSecs: number('SVC_DRAIN_TIMEOUT_SECS', 600),
    hosts: (env.SVC_HOSTS ?? '')
      .split(',')
      .map((host) => host.trim())
      .filter(Boolean),
    home,
    env,
  }
  if (faults.length > 0) throw new Problem(400, faults.join('; '))
  return Object.freeze(config)
}

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || address.startsWith('127.')
}
