// The composition root: chooses the services, hands them the machine, and lets the host run them.
import { guardedClock } from '../platform/async/unexpected-errors.ts'
import { systemClock, type Clock } from '../platform/core/clock.ts'
import type { Config } from '../platform/core/config.ts'
import { storageProblem } from '../platform/database/database.ts'
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
import { readDocuments, readSources } from './sources.ts'

export type { Host as Daemon } from '../platform/service/define.ts'
export { services } from './services.ts'

export interface DaemonOptions {
  config: Config
  /** Names of the services to run; default all of them. */
  services?: readonly string[]
  /** Folder of the source `default`; null for none. */
  manifests: string | null
  /** File with further sources; default `$XDG_CONFIG_HOME/svc/config.yaml` where it exists. */
  configFile?: string
  version: string
  /** Default: as the configuration says, to stderr. */
  log?: Log
  /** The outside world, for tests. Default: the machine's clock, tmux, the bundled bridge. */
  clock?: Clock
  mux?: Mux
  bridge?: string
  /** The process runs this daemon and nothing else: what nobody catches in it does not end it. Default false. */
  ownsProcess?: boolean
  /** Aborts when the daemon is to stop, be it before it has started: then it is returned stopped. */
  stop?: AbortSignal
}

/** Starts the services, or nothing: what had been started is stopped again before the error is thrown. */
export async function startDaemon(options: DaemonOptions): Promise<Host> {
  const { config, version, clock = systemClock } = options
  const log = options.log ?? maskedLog(config)
  if (options.ownsProcess) outliveUnexpected(log)
  const chosen = choose(
    services({
      sources: readSources(options, config),
      notify: readNotify(options, config),
      documents: readDocuments(options, config),
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

/** Errors of libraries quote what they were given: the daemon's own secrets stay out of every line. */
function maskedLog(config: Config): Log {
  const masker = new Masker(ownSecrets(config))
  return createLog({ level: config.logLevel, format: config.logFormat, mask: (line) => masker.mask(line) })
}

/** Throws 400 for a name that is no service. */
function choose(all: readonly Served[], names: readonly string[]): readonly Served[] {
  const known = all.map((served) => served.name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw invalid(`there is no service ${unknown.join(', ')}: there are ${known.join(', ')}`)
  return names.length === 0 ? all : all.filter((served) => names.includes(served.name))
}
