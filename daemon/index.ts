// The composition root: builds the parts, hands them to one another, starts and stops them in order.
import { createController, type Controller } from '../controller/index.ts'
import { controllerHealth, controllerMetrics, controllerRoutes } from '../api/controller/index.ts'
import { orchestratorHealth, orchestratorMetrics, orchestratorRoutes } from '../api/orchestrator/index.ts'
import { shutdownRoute } from '../api/shutdown.ts'
import { systemClock, timestamp, type Clock } from '../platform/clock.ts'
import type { Config, ServiceName } from '../platform/config.ts'
import { openDatabase, type Knex } from '../platform/database.ts'
import { createHttpServer, type HttpServer } from '../platform/http/server.ts'
import { createLog, type Log } from '../platform/log.ts'
import type { Mux } from '../platform/mux.ts'
import { createTmux } from '../platform/tmux.ts'
import { Vault } from '../platform/vault.ts'
import { createReconcilers } from '../reconcilers/index.ts'
import { kindsToCome } from '../schemas/kinds.ts'
import { createOrchestrator, type Orchestrator } from '../services/orchestrator/index.ts'
import { listen, type Bound } from './listen.ts'
import { giveBack } from './memory.ts'
import { bundledBridge } from './package-root.ts'
import { refuseSecondDaemon, removeRuntimeFile, writeRuntimeFile } from './runtime-file.ts'
import { readSources } from './sources.ts'
import { stopInOrder, type Part } from './stopping.ts'

export { runUntilSignal } from './process.ts'

export interface DaemonOptions {
  config: Config
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
}

export interface Daemon {
  /** Base address of each service, as in the runtime file. */
  readonly urls: Readonly<Record<string, string>>
  readonly orchestrator: Orchestrator
  readonly controller: Controller
  /** Stops within ten seconds; sessions live on unless `agents`. A second call waits for the first. */
  stop(options?: { agents?: boolean }): Promise<void>
  /** Resolves when it has stopped, whoever asked for it. */
  readonly stopped: Promise<void>
}

/** Starts everything, or nothing: what had been started is stopped again before the error is thrown. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { config } = options
  const log = options.log ?? createLog({ level: config.logLevel, format: config.logFormat })
  const sources = readSources(options, config)
  await refuseSecondDaemon(config.runtimeFile)
  const started: Part[] = []
  try {
    return await compose({ ...options, clock: options.clock ?? systemClock, log }, sources, started)
  } catch (error) {
    await stopInOrder(started.toReversed(), log)
    throw error
  }
}

/** Steps of a run that leaves enough behind to be worth collecting at once, and the rest it gets first. */
const LARGE_RUN = 500
const GIVE_BACK_AFTER_MS = 1000

type Composition = DaemonOptions & { clock: Clock; log: Log }

/** Adds to `started` what there is to stop, in the order of starting. */
async function compose(
  options: Composition,
  sources: ReturnType<typeof readSources>,
  started: Part[],
): Promise<Daemon> {
  const { config, clock, log, version } = options
  const bound: Partial<Record<ServiceName, Bound>> = {}
  const ports = () => Object.values(bound).map((each) => each.port)
  const stopping = createStopping(started, log)

  const db = openDatabase(config.databaseUrl)
  started.push({ name: 'database', stop: () => db.destroy(), withinMs: 900 })
  const { orchestrator, controller } = await createParts(options, sources, db, () => bound.orchestrator!.url)

  const common = { version, log, config, ports }
  const servers: Partial<Record<ServiceName, HttpServer>> = {
    orchestrator: await createHttpServer({
      ...common,
      service: 'svc-orchestrator',
      health: () => orchestratorHealth(orchestrator),
      metrics: (registry) => orchestratorMetrics(registry, orchestrator),
    }),
    controller: await createHttpServer({
      ...common,
      service: 'svc-controller',
      health: () => controllerHealth(controller),
      metrics: (registry) => controllerMetrics(registry, controller),
    }),
  }
  orchestratorRoutes(servers.orchestrator!, orchestrator, {
    managedBy: (kind, liveId) => controller.managedBy(kind, liveId),
  })
  controllerRoutes(servers.controller!, controller)
  shutdownRoute(servers.controller!, (asked) => void stopping.stop(asked))

  started.push({ name: 'runtime file', stop: () => removeRuntimeFile(config.runtimeFile, process.pid), withinMs: 200 })
  started.push({
    name: 'servers',
    stop: () => Promise.all(Object.values(servers).map((server) => server.close())),
    withinMs: 1800,
  })
  for (const [service, server] of Object.entries(servers) as [ServiceName, HttpServer][]) {
    bound[service] = await listen(server, service, { bind: config.bind, port: config.ports[service] })
  }
  const urls = Object.fromEntries(Object.entries(bound).map(([service, { url }]) => [service, url]))
  writeRuntimeFile(config.runtimeFile, { pid: process.pid, started_at: timestamp(clock), version, services: urls })

  started.push({
    name: 'sessions',
    stop: () => (stopping.endsSessions ? orchestrator.endSessions() : undefined),
    withinMs: 5000,
  })
  started.push({ name: 'orchestrator', stop: () => orchestrator.stop(), withinMs: 3000 })
  await orchestrator.start()
  controller.events(
    (event) => event.type === 'run' && event.run.steps.length > LARGE_RUN && clock.after(GIVE_BACK_AFTER_MS, giveBack),
  )
  started.push({ name: 'controller', stop: () => controller.stop(), withinMs: 2500 })
  await controller.start()
  log.info({ ...urls, sources: sources.length }, 'daemon ready')
  return { urls, orchestrator, controller, stop: stopping.stop, stopped: stopping.stopped }
}

/** The services and the controller, on one database. `base` is the orchestrator's address, known once it listens. */
async function createParts(
  options: Composition,
  sources: ReturnType<typeof readSources>,
  db: Knex,
  base: () => string,
): Promise<{ orchestrator: Orchestrator; controller: Controller }> {
  const { config, clock, log } = options
  const vault = Vault.open(config.keyFile)
  const orchestrator = await createOrchestrator({
    db,
    vault,
    clock,
    log: log.child({ service: 'orchestrator' }),
    mux: options.mux ?? createTmux({ socket: config.muxSocket, env: config.env }),
    config,
    bridge: options.bridge ?? bundledBridge(),
    socketUrl: () => base().replace(/^http/, 'ws'),
    httpUrl: base,
  })
  const controller = await createController({
    db,
    vault,
    clock,
    log: log.child({ service: 'controller' }),
    reconcilers: createReconcilers(orchestrator),
    kindsToCome,
    sources,
    home: config.home,
    env: config.env,
    drainTimeoutSecs: config.drainTimeoutSecs,
  })
  return { orchestrator, controller }
}

/** Stops the parts once, last started first, whoever asks first. */
function createStopping(started: readonly Part[], log: Log) {
  let running: Promise<void> | null = null
  let finish!: () => void
  const stopped = new Promise<void>((resolve) => (finish = resolve))
  const stopping = {
    stopped,
    endsSessions: false,
    stop: (asked: { agents?: boolean } = {}): Promise<void> => {
      stopping.endsSessions ||= asked.agents ?? false
      running ??= stopInOrder(started.toReversed(), log).then(() => {
        log.info({ agents: stopping.endsSessions }, 'daemon stopped')
        finish()
      })
      return running
    },
  }
  return stopping
}
