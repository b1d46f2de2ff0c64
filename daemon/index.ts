import { guardedClock } from '../platform/async/unexpected-errors.ts'
import { systemClock, type Clock } from '../platform/core/clock.ts'
import type { Config } from '../platform/core/config.ts'
import { storageProblem } from '../platform/database/database.ts'
import { configuredSandbox } from '../controller/reading/rules/config-file.ts'
import { createLog, type Log } from '../platform/core/log/log.ts'
import { Masker } from '../platform/secrets/masking/masker.ts'
import type { Mux } from '../platform/terminal/mux.ts'
import { ownSecrets } from '../platform/secrets/masking/own-secrets.ts'
import { invalid } from '../platform/core/problem.ts'
import type { Host } from '../platform/service/define.ts'
import { startHost } from '../platform/service/host.ts'
import type { Served } from '../platform/service/define.ts'
import { Tmux } from '../platform/terminal/tmux.ts'
import { UserTmux } from '../platform/terminal/user-mux.ts'
import { outliveUnexpected } from './uncaught-errors.ts'
import { readNotify } from './notify.ts'
import { bundledBridge } from './package-root.ts'
import { PRIMARY, services } from './services.ts'
import { readFileSettings } from './settings/file-settings.ts'
import { readDocuments, readSources } from './sources.ts'

export type { Host as Daemon } from '../platform/service/define.ts'
export { daemonHeaders } from './own-calls.ts'
export { services } from './services.ts'

export interface DaemonOptions {
  config: Config
  /** Services to run; default all. */
  services?: readonly string[]
  /** Folder of the source `default`; null for none. */
  manifests: string | null
  /** File with more sources; default `$XDG_CONFIG_HOME/svc/config.yaml` if it exists. */
  configFile?: string
  version: string
  log?: Log
  /** Replaceable for tests. */
  clock?: Clock
  mux?: Mux
  bridge?: string
  /** Logs uncaught errors instead of exiting: the process runs only this daemon. */
  ownsProcess?: boolean
  stop?: AbortSignal
}

/** On failure, stops the services already started. */
export async function startDaemon(options: DaemonOptions): Promise<Host> {
  const { version, clock = systemClock } = options
  const config = options.configFile ? { ...options.config, configFile: options.configFile } : options.config
  const log = options.log ?? maskedLog(config)
  if (options.ownsProcess) outliveUnexpected(log)
  const documents = readDocuments(options, config)
  const defaultSandbox = configuredSandbox(options, config)
  const chosen = choose(
    services({
      sources: readSources(options, config),
      notify: readNotify(options, config),
      documents,
      defaultSandbox,
      written: readFileSettings(options, config, { documents, defaultSandbox }),
    }),
    options.services ?? [],
  )
  return startHost({
    services: chosen,
    config,
    version,
    clock: guardedClock(clock, log),
    log,
    adapters: {
      mux: options.mux ?? new Tmux({ socket: config.muxSocket, env: config.env }),
      userMux: new UserTmux({ socket: config.userMuxSocket, env: config.env }),
      bridge: options.bridge ?? bundledBridge(),
    },
    primary: PRIMARY,
    stop: options.stop,
  }).catch((error: unknown) => {
    throw storageProblem(error) ?? error
  })
}

/** Library errors quote their input, which may be a secret of the daemon. */
function maskedLog(config: Config): Log {
  const masker = new Masker(ownSecrets(config))
  return createLog({ level: config.logLevel, format: config.logFormat, mask: (line) => masker.mask(line) })
}

/** Throws 400 for an unknown service. */
function choose(all: readonly Served[], names: readonly string[]): readonly Served[] {
  const known = all.map((served) => served.name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw invalid(`unknown service ${unknown.join(', ')}: the services are ${known.join(', ')}`)
  return names.length === 0 ? all : all.filter((served) => names.includes(served.name))
}
