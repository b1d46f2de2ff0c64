// Runs the services of a list: opens the database once, migrates, opens, binds and starts each, and stops them in three ranks.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { timestamp, type Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { migrate, openDatabase, write, type Knex } from '../database.ts'
import { createHttpServer, type HttpServer } from '../http/server.ts'
import type { Log } from '../log.ts'
import { invalid, Problem } from '../problem.ts'
import { openAudit } from '../store/audit.ts'
import { openBus, type Bus } from '../store/bus.ts'
import { leaseTable, openLeases } from '../store/lease.ts'
import { Vault } from '../vault.ts'
import type { Host, Opened, Served, ServiceDefinition, StopOptions } from './define.ts'
import { listen, type Bound } from './listen.ts'
import { refuseSecondDaemon, removeRuntimeFile, writeRuntimeFile } from './runtime-file.ts'
import { readSettings, type Values } from './settings.ts'
import { callSibling } from './siblings.ts'
import { within } from './stopping.ts'
import type { Adapters, World } from './world.ts'

export interface HostOptions {
  services: readonly Served[]
  config: Config
  version: string
  log: Log
  clock: Clock
  adapters: Adapters
  /** The service that PORT means where several run. */
  primary: string
  /** Closed when the host stops. Default: opened from the configuration. */
  db?: Knex
}

/** Milliseconds each rank of the stop may take. */
const ACCEPTING_MS = 1800
const SERVICES_MS = 6000
const DATABASE_MS = 900

/** Starts every service, or none: what had been started is stopped again before the error is thrown. */
export async function startHost(options: HostOptions): Promise<Host> {
  refuseMissingNeeds(options.services)
  const plans = readPlans(options)
  refuseMissingTokens(options.config)
  await refuseSecondDaemon(options.config.runtimeFile)
  const host = new RunningHost(options)
  try {
    await host.start(plans)
    return host
  } catch (error) {
    await host.stop()
    throw error
  }
}

/** Throws 400 where every request would be refused. */
function refuseMissingTokens({ auth, tokensFile }: Config): void {
  if (!auth || existsSync(tokensFile)) return
  throw invalid(
    `tokens are asked for (SVC_AUTH, SVC_TOKENS_FILE), and there is no file ${tokensFile}: make the first with "svc token create NAME --role admin", ` +
      'or name another file in SVC_TOKENS_FILE',
  )
}

/** Of the host's own tables. */
const PREFIX = 'host'

type Shared = Pick<World, 'db' | 'vault' | 'bus' | 'leases'>

/** What the environment says about one service. */
interface Plan {
  served: Served
  port: number
  settings: Values<any>
}

function refuseMissingNeeds(services: readonly Served[]): void {
  const names = services.map((served) => served.name)
  for (const { name, needs } of services) {
    const missing = needs.filter((need) => !names.includes(need))
    if (missing.length > 0)
      throw invalid(
        `${name} works in one process with ${missing.join(', ')}: run "svc serve ${[...missing, name].join(' ')}"`,
      )
  }
}

/** Ports and settings of every service. Throws one 400 for all that is ill-formed. */
function readPlans({ services, config, primary }: HostOptions): Plan[] {
  const faults: string[] = []
  const plans = services.map((served): Plan => {
    const { operations, settings } = served.definition
    const documented = services.length === 1 ? ['PORT', 'SVC_PORT'] : served.name === primary ? ['PORT'] : []
    const { values, faults: found } = readSettings(served.name, settings, config.env)
    faults.push(...found)
    let port = 0
    try {
      port = config.port(operations, documented)
    } catch (error) {
      faults.push((error as Error).message)
    }
    return { served, port, settings: values }
  })
  if (faults.length > 0) throw invalid(faults.join('; '))
  return plans
}

interface Running {
  plan: Plan
  face: Opened
  server: HttpServer
  isStarted: boolean
}

class RunningHost implements Host {
  readonly config: Config
  readonly options: HostOptions
  readonly stopped: Promise<void>
  readonly #running: Running[] = []
  readonly #bound = new Map<string, Bound>()
  #db: Knex | null = null
  #bus: Bus | null = null
  #stopping: Promise<void> | null = null
  #agents = false
  #finish!: () => void

  constructor(options: HostOptions) {
    this.options = options
    this.config = options.config
    this.stopped = new Promise((resolve) => (this.#finish = resolve))
  }

  get urls(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#bound].map(([service, { url }]) => [service, url]))
  }

  find<Face extends Opened>(definition: ServiceDefinition<Face, any, any>): Face | null {
    return (this.#running.find((running) => running.plan.served.definition === definition)?.face as Face) ?? null
  }

  async start(plans: readonly Plan[]): Promise<void> {
    const { config, clock, version, log } = this.options
    const shared = await this.#openShared()
    for (const plan of plans) await this.#open(plan, this.#world(plan, shared))
    for (const { plan, face, server } of this.#running) plan.served.routes(server, face, this)
    for (const { plan, server } of this.#running)
      this.#bound.set(plan.served.name, await listen(server, plan.served.name, { bind: config.bind, port: plan.port }))
    for (const running of this.#running) {
      running.isStarted = true
      await running.face.start?.()
    }
    writeRuntimeFile(config.runtimeFile, {
      pid: process.pid,
      started_at: timestamp(clock),
      version,
      services: this.urls,
    })
    log.info(this.urls, 'daemon ready')
  }

  /** What all services lean on together; the database is closed again whatever comes after it. */
  async #openShared(): Promise<Shared> {
    const { config, clock, log } = this.options
    const db = this.options.db ?? openDatabase(config.databaseUrl)
    this.#db = db
    const vault = Vault.open(config.keyFile)
    await migrate(db, { prefix: PREFIX, steps: [leaseTable(PREFIX, '001-leases')] })
    this.#bus = await openBus({ db, url: config.databaseUrl, clock, log })
    return { db, vault, bus: this.#bus, leases: openLeases({ db, clock, prefix: PREFIX }) }
  }

  #world({ served, settings }: Plan, shared: Shared): World<any> {
    const { config, clock, log, adapters } = this.options
    const siblings = {
      self: `svc-${served.name}`,
      addressOf: (group: { service: string; port: number }) => this.#addressOf(group),
      token: config.env.SVC_TOKEN || null,
    }
    return {
      ...adapters,
      ...shared,
      clock,
      config,
      settings,
      log: log.child({ service: served.name }),
      ids: randomUUID,
      address: () => this.#bound.get(served.name)!.url,
      call: (group) => callSibling(group, siblings),
    }
  }

  /** The address in the environment, of this process, or the port in force on this machine. */
  #addressOf(group: { service: string; port: number }): string {
    const { config } = this.options
    const documented = DOCUMENTED_ADDRESSES[group.service]
    const given = config.env[`SVC_${group.service.toUpperCase()}_URL`] || (documented && config.env[documented])
    return given || this.#bound.get(group.service)?.url || `http://127.0.0.1:${config.port(group)}`
  }

  async #open(plan: Plan, world: World<any>): Promise<void> {
    const { served } = plan
    const { config, log, version } = this.options
    try {
      await migrate(world.db, served.definition.migrations)
      const audit = openAudit({ db: world.db, clock: world.clock, prefix: served.definition.migrations.prefix })
      const face = (await served.definition.open(world, served.parts(this))) as Opened
      const server = await createHttpServer({
        service: `svc-${served.name}`,
        version,
        log,
        config,
        ports: () => [...this.#bound.values()].map(({ port }) => port),
        callers: () => this.#running.find((running) => running.face.callers)?.face.callers ?? null,
        health: async () => {
          await world.db.raw('select 1')
          return (await face.health?.()) ?? {}
        },
        metrics: face.metrics ?? [],
        audit: (by, operation, target) =>
          write(world.db, (transaction) =>
            audit.record(transaction, 'operation', `${operation} ${target}`.slice(0, 256), [''], by),
          ),
        processMetrics: this.#running.length === 0,
      })
      this.#running.push({ plan, face, server, isStarted: false })
    } catch (error) {
      const status = error instanceof Problem ? error.status : 500
      throw new Problem(status, `the ${served.name} could not be opened: ${(error as Error).message}`, { cause: error })
    }
  }

  stop({ agents = false }: Partial<StopOptions> = {}): Promise<void> {
    this.#agents ||= agents
    this.#stopping ??= this.#stopAll()
    return this.#stopping
  }

  async #stopAll(): Promise<void> {
    const { config, log } = this.options
    removeRuntimeFile(config.runtimeFile, process.pid)
    await Promise.all(
      this.#running.map(({ plan, server }) => within(ACCEPTING_MS, log, plan.served.name, server.close())),
    )
    await within(SERVICES_MS, log, 'services', this.#stopServices())
    if (this.#bus) await within(DATABASE_MS / 2, log, 'bus', this.#bus.close())
    if (this.#db) await within(DATABASE_MS, log, 'database', this.#db.destroy())
    log.info({ agents: this.#agents }, 'daemon stopped')
    this.#finish()
  }

  /** Side by side, but for one that needs another: it is stopped first. */
  async #stopServices(): Promise<void> {
    const stop = ({ plan, face }: Running) =>
      within(SERVICES_MS, this.options.log, plan.served.name, Promise.resolve(face.stop?.({ agents: this.#agents })))
    const started = this.#running.filter((running) => running.isStarted)
    const dependents = started.filter(({ plan }) => plan.served.needs.length > 0)
    await Promise.all(dependents.map(stop))
    await Promise.all(started.filter((running) => !dependents.includes(running)).map(stop))
  }
}

/** Variables that the specification names beside SVC_<SERVICE>_URL. */
const DOCUMENTED_ADDRESSES: Readonly<Record<string, string>> = {
  notify: 'NOTIFY_SERVICE_URL',
  index: 'SVC_INDEX_SERVICE_URL',
}
