import { randomUUID } from 'node:crypto'
import type { RuntimeFile } from '../../schemas/access/runtime-file.ts'
import type { Placed } from '../../schemas/operations/operation.ts'
import { timestamp } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { migrate, openDatabase, type Knex, type Migrations } from '../database/database.ts'
import { leaseLost } from '../database/fence.ts'
import type { HttpServer } from '../http/server.ts'
import { openServiceToken } from '../http/service-callers.ts'
import { FreeDisk } from '../core/free-disk.ts'
import { DesiredFiles } from '../files/desired-files.ts'
import { keepPrivate } from '../secrets/private-files.ts'
import { Problem, unavailable } from '../core/problem.ts'
import type { Background } from '../async/background.ts'
import { Audit } from '../store/audit.ts'
import { openBus, type Bus } from '../store/bus.ts'
import { openLeases } from '../store/lease.ts'
import { retention } from '../store/retention.ts'
import { WriteGuards } from '../store/write-guards.ts'
import { Vault } from '../secrets/vault.ts'
import type { Host, HostOptions, Opened, ServiceDefinition, StopOptions } from './define.ts'
import { below, listen, unbound, type Bound } from './listen.ts'
import { checkDatabase, hostMigrations } from './migrations.ts'
import { ProcessHealth } from './process-health.ts'
import { readPlans, refuseMissingNeeds, refuseMissingTokens, type Plan } from './service-plans.ts'
import { refuseSecondDaemon, removeRuntimeFile, writeRuntimeFile } from './runtime-file.ts'
import { addressOf, isElsewhere } from './addresses.ts'
import { RefusedCalls } from './refused-calls.ts'
import { frontOf } from './shared-port.ts'
import { createServiceServer, type SharedPart } from './service-server.ts'
import { callSibling } from './siblings.ts'
import { guardedMux, Sole } from './single-instance.ts'
import { within } from './stop-deadline.ts'
import type { World } from './world.ts'

/** Time limits of the stop stages. */
const ACCEPTING_MS = 1800
const SERVICES_MS = 5500
const DATABASE_MS = 900
/** Part of SERVICES_MS in which an interrupted start may finish. */
const STARTING_MS = 3000

/** Starts all services, or stops those already started and throws. Returns a stopped host if stopped meanwhile. */
export async function startHost(options: HostOptions): Promise<Host> {
  refuseMissingNeeds(options.services)
  const plans = readPlans(options)
  refuseMissingTokens(options.config)
  const host = new RunningHost(options)
  options.stop?.addEventListener('abort', () => void host.stop(), { once: true })
  try {
    await host.start(plans)
  } catch (error) {
    await host.stop()
    if (!options.stop?.aborted) throw host.failure ?? error
  }
  return host
}

type Shared = Pick<World, 'db' | 'vault' | 'bus' | 'leases' | 'guards' | 'mux' | 'serviceToken' | 'disk'>

interface Running {
  plan: Plan
  face: Opened
  server: HttpServer
  audit: Audit
  isStarted: boolean
}

class RunningHost implements Host {
  readonly config: Config
  readonly options: HostOptions
  readonly stopped: Promise<void>
  readonly #running: Running[] = []
  readonly #bound = new Map<string, Bound>()
  readonly #trimming: Background[] = []
  readonly #process = new ProcessHealth()
  readonly #desired = new DesiredFiles()
  #sole: Sole | null = null
  #db: Knex | null = null
  #bus: Bus | null = null
  #runtime: RuntimeFile | null = null
  #failure: Problem | null = null
  #starting: Promise<void> = Promise.resolve()
  #stopping: Promise<void> | null = null
  readonly #isStopping = new AbortController()
  #agents = false
  #finish!: () => void

  constructor(options: HostOptions) {
    this.options = options
    this.config = options.config
    this.#db = options.db ?? null
    this.stopped = new Promise((resolve) => (this.#finish = resolve))
  }

  get urls(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#bound].map(([service, { url }]) => [service, url]))
  }

  find<Face extends Opened>(definition: ServiceDefinition<Face, any, any>): Face | null {
    return (this.#running.find((running) => running.plan.served.definition === definition)?.face as Face) ?? null
  }

  get failure(): Problem | null {
    return this.#failure
  }

  start(plans: readonly Plan[]): Promise<void> {
    this.#starting = this.#startAll(plans)
    return this.#starting
  }

  async #startAll(plans: readonly Plan[]): Promise<void> {
    const { config, clock, version, log, services, stop } = this.options
    this.#throwIfStopping()
    this.#sole = await Sole.lock({ config, clock, log, version, services: services.map(({ name }) => name), stop })
    this.#throwIfStopping()
    await refuseSecondDaemon(config.runtimeFile)
    const replaced = await checkDatabase(this.options)
    const shared = await this.#openShared(this.#sole, replaced)
    for (const plan of plans) await this.#open(plan, this.#world(plan, shared))
    for (const { plan, face, server } of this.#running) plan.served.routes(server, face, this)
    // Each port serves all of them.
    for (const { server } of this.#running) await server.ready()
    for (const { plan, server } of this.#running) await this.#bind(plan, server)
    await this.#sole.announceUrls(this.urls)
    for (const running of this.#running) await this.#startService(running)
    this.#throwIfStopping()
    this.#process.start()
    this.#runtime = { pid: process.pid, started_at: timestamp(clock), version, services: this.urls }
    writeRuntimeFile(config.runtimeFile, this.#runtime)
    log.info(this.urls, 'daemon ready')
  }

  #throwIfStopping(): void {
    if (this.#stopping || this.options.stop?.aborted) throw unavailable('the daemon is stopping', 'stopping')
  }

  async #bind({ served, port }: Plan, server: HttpServer): Promise<void> {
    this.#throwIfStopping()
    const { mount } = served.definition.operations
    const shared = mount && below(this.#bound.get(mount.service)!, mount.path)
    const { bind } = this.options.config
    this.#bound.set(served.name, shared ?? (await listen(server, served.name, { bind, port })))
  }

  async #startService(running: Running): Promise<void> {
    this.#throwIfStopping()
    running.isStarted = true
    await running.face.start?.()
    this.#trimming.push(this.#trimAudit(running))
  }

  #trimAudit({ plan, audit }: Running): Background {
    const { clock, log, config } = this.options
    const name = `audit trim of ${plan.served.name}`
    return retention({ clock, log, name, days: config.retentionDays, trim: (...asked) => audit.trim(...asked) })
  }

  /** Sets #db first, so that it is closed after any failure. */
  async #openShared(sole: Sole, replaced: readonly Migrations[]): Promise<Shared> {
    const { config, clock, log, adapters } = this.options
    keepPrivate(config, log)
    const db = (this.#db ??= openDatabase(config.databaseUrl))
    const lease = await sole.lease(db, replaced)
    lease.lost.addEventListener('abort', () => this.#onOvertaken(), { once: true })
    this.#throwIfStopping()
    const vault = Vault.open(config.keyFile)
    const serviceToken = openServiceToken(config.serviceTokenFile)
    this.#bus = await openBus({ db, url: config.databaseUrl, clock, log })
    const leases = openLeases({ db, clock, prefix: hostMigrations.prefix })
    const [guards, mux, disk] = [new WriteGuards(), guardedMux(adapters.mux, lease), new FreeDisk(config)]
    return { db, vault, bus: this.#bus, leases, guards, mux, serviceToken, disk }
  }

  #onOvertaken(): void {
    this.#failure = leaseLost()
    this.options.log.error({ code: this.#failure.code }, this.#failure.message)
    void this.stop()
  }

  #world({ served, settings }: Plan, shared: Shared): World<any> {
    const { config, clock, log, adapters } = this.options
    const self = `svc-${served.name}`
    const refusedCalls = new RefusedCalls(self)
    const siblings = {
      self,
      serverOf: (group: { service: string }) => this.#serverOf(group),
      addressOf: (group: Placed) => this.#addressOf(group),
      serviceToken: shared.serviceToken,
      token: config.env.SVC_TOKEN || null,
      refused: refusedCalls,
      stopping: this.#isStopping.signal,
    }
    return {
      ...adapters,
      ...shared,
      desired: this.#desired,
      refusedCalls,
      clock,
      config,
      settings,
      log: log.child({ service: served.name }),
      ids: randomUUID,
      address: () => (this.#bound.get(served.name) ?? unbound()).url,
      addressOf: siblings.addressOf,
      call: (group, how) => callSibling(group, { ...siblings, ...how }),
    }
  }

  #faceWith(part: SharedPart): Opened | null {
    return this.#running.find(({ face }) => face[part])?.face ?? null
  }

  #localServer(service: string): HttpServer | null {
    return this.#running.find(({ plan }) => plan.served.name === service)?.server ?? null
  }

  isElsewhere(service: string): boolean {
    return isElsewhere(this.config, service, this.#bound.get(service)?.url)
  }

  #serverOf({ service }: { service: string }): HttpServer | null {
    return this.isElsewhere(service) ? null : this.#localServer(service)
  }

  #addressOf(group: Placed): string {
    return addressOf(this.config, group, this.#bound.get(group.service)?.url)
  }

  async #open(plan: Plan, world: World<any>): Promise<void> {
    const { served } = plan
    this.#throwIfStopping()
    try {
      await migrate(world.db, served.definition.migrations)
      const audit = new Audit({ db: world.db, clock: world.clock, prefix: served.definition.migrations.prefix })
      const face = (await served.definition.open(world, served.parts(this))) as Opened
      const server = await createServiceServer({
        served,
        face,
        world,
        audit,
        about: this.options,
        ports: () => [...this.#bound.values()].map(({ port }) => port),
        faceWith: (part) => this.#faceWith(part),
        processHealth: () => this.#process.read(),
        processMetrics: this.#running.length === 0,
        front: frontOf(served, {
          about: this.options,
          serverOf: (service) => this.#serverOf({ service }),
          localServer: (service) => this.#localServer(service),
        }),
      })
      this.#running.push({ plan, face, server, audit, isStarted: false })
    } catch (error) {
      const { status = 500, code } = error instanceof Problem ? error : {}
      throw new Problem(status, `the ${served.name} service could not be opened: ${(error as Error).message}`, {
        code,
        cause: error,
      })
    }
  }

  stop({ agents = false }: Partial<StopOptions> = {}): Promise<void> {
    this.#agents ||= agents
    this.#stopping ??= this.#stopAll()
    return this.#stopping
  }

  async #stopAll(): Promise<void> {
    const { config, log } = this.options
    this.#isStopping.abort()
    this.#process.stop()
    if (this.#runtime) removeRuntimeFile(config.runtimeFile, this.#runtime)
    this.#sole?.announceStop()
    await Promise.all(
      this.#running.map(({ plan, server }) => within(ACCEPTING_MS, log, plan.served.name, server.close())),
    )
    await within(SERVICES_MS, log, 'services', this.#stopServices())
    if (this.#sole) await within(DATABASE_MS / 2, log, 'lease', this.#sole.releaseLease())
    if (this.#bus) await within(DATABASE_MS / 2, log, 'bus', this.#bus.close())
    if (this.#db) await within(DATABASE_MS, log, 'database', this.#db.destroy())
    if (this.#sole) await within(DATABASE_MS / 2, log, 'lock', this.#sole.unlock())
    if (this.#sole) log.info({ agents: this.#agents }, 'daemon stopped')
    this.#finish()
  }

  /** Stops services concurrently, but dependents first. */
  async #stopServices(): Promise<void> {
    const begun = this.#starting.catch(() => undefined)
    await within(STARTING_MS, this.options.log, 'start', begun)
    const stop = ({ plan, face }: Running) =>
      within(SERVICES_MS, this.options.log, plan.served.name, Promise.resolve(face.stop?.({ agents: this.#agents })))
    const started = this.#running.filter((running) => running.isStarted)
    const dependents = started.filter(({ plan }) => plan.served.needs.length > 0)
    await Promise.all([...dependents.map(stop), ...this.#trimming.map((trimming) => trimming.stop())])
    await Promise.all(started.filter((running) => !dependents.includes(running)).map(stop))
  }
}
