import { background, type Background } from '../../platform/async/background.ts'
import { outside } from '../../platform/async/detached.ts'
import { SerialQueue } from '../../platform/async/serial-queue.ts'
import { timestamp } from '../../platform/core/clock.ts'
import { unavailable } from '../../platform/core/problem.ts'
import { defineService, type Opened } from '../../platform/service/define.ts'
import { number, seconds } from '../../platform/service/settings.ts'
import type { World } from '../../platform/service/world.ts'
import type { LiveTopic } from '../../platform/store/live-topic.ts'
import type { DiskUse } from '../../schemas/monitor/disk.ts'
import type { AgentLoad, Collected, HistoryQuery, MonitorStatus, SystemMetrics } from '../../schemas/monitor/metrics.ts'
import { monitorOperations } from '../../schemas/operations/monitor.ts'
import { notifyOperations } from '../../schemas/operations/notify.ts'
import { orchestratorOperations } from '../../schemas/operations/orchestrator/index.ts'
import { AgentLoads } from './agent-loads.ts'
import { Alerts } from './alerts.ts'
import { systemCollector, type Collector } from './collector.ts'
import { DataFolderMeter, spaceIn } from './disk/data-folder.ts'
import { FORECAST_MINUTES, forecastOf } from './disk/forecast.ts'
import { exposition } from './exposition.ts'
import type { Monitor } from './face.ts'
import { migrations } from './migrations.ts'
import { Notices } from './notices.ts'
import { pastMetrics } from './past.ts'
import { MINUTE_MS, Samples } from './samples.ts'

const threshold = (variable: string) => number({ default: 90, least: 0, most: 100, variable })

const settings = {
  intervalSecs: seconds({ default: 30, least: 1, variable: 'SVC_COLLECTION_INTERVAL_SECS' }),
  /** Percent. */
  cpuThreshold: threshold('SVC_CPU_ALERT_THRESHOLD'),
  memoryThreshold: threshold('SVC_MEMORY_ALERT_THRESHOLD'),
  diskThreshold: threshold('SVC_DISK_ALERT_THRESHOLD'),
  historySize: number({ default: 120, least: 1, most: 100_000, whole: true, variable: 'SVC_HISTORY_SIZE' }),
}

export interface MonitorParts {
  collector?: Collector
  /** Space of the disk of a folder. */
  spaceIn?: typeof spaceIn
}

export const monitor = defineService({
  operations: monitorOperations,
  settings,
  migrations,
  metricsPath: '/prom-metrics',
  open: (world: World<typeof settings>, { collector, spaceIn: space = spaceIn }: MonitorParts): Monitor & Opened =>
    new MonitorService(world, collector ?? systemCollector({ calmPercent: world.settings.cpuThreshold }), space),
})

class MonitorService implements Monitor, Opened {
  readonly #world: World<typeof settings>
  readonly #collector: Collector
  readonly #alerts: Alerts
  readonly #notices: Notices
  readonly #agentLoads: AgentLoads
  /** Newest first. */
  #history: SystemMetrics[] = []
  #agents: AgentLoad[] = []
  #collections = 0
  #collecting: Background | null = null
  readonly #samples: Samples
  readonly #folder: DataFolderMeter
  readonly #spaceIn: typeof spaceIn
  readonly #turns = new SerialQueue()
  readonly #telling = new SerialQueue()
  readonly #storing = new SerialQueue()

  constructor(world: World<typeof settings>, collector: Collector, space: typeof spaceIn) {
    this.#world = world
    this.#collector = collector
    this.#spaceIn = space
    this.#samples = new Samples(world.db)
    this.#folder = new DataFolderMeter(world.config.dataDir, world)
    const { cpuThreshold: cpu, memoryThreshold: memory, diskThreshold: disk } = world.settings
    this.#alerts = new Alerts({ cpu, memory, disk })
    this.#notices = new Notices(world.call(notifyOperations), world.log)
    const orchestrator = world.call(orchestratorOperations)
    this.#agentLoads = new AgentLoads(world.mux, async () => {
      const agents = await orchestrator.listAgents().catch(() => [])
      return new Map(agents.map(({ id, name }) => [id, name]))
    })
    this.metrics = exposition({
      clock: world.clock,
      latest: () => this.#history[0] ?? null,
      alerts: () => this.#alerts.active,
      agents: () => this.#agents,
      collections: () => this.#collections,
    })
  }

  readonly metrics

  readonly topics: readonly LiveTopic[] = [{ name: 'machine', sample: () => this.#history[0] ?? null }]

  async start(): Promise<void> {
    const { clock, log, settings } = this.#world
    const everyMs = settings.intervalSecs * 1000
    const work = (stopping: AbortSignal) => this.collect(stopping)
    this.#collecting = background({ clock, log, name: 'collection', everyMs, longestMs: everyMs, atOnce: true, work })
  }

  async stop(): Promise<void> {
    await this.#collecting?.stop()
    this.#samples.end()
    this.#store()
    await Promise.all([this.#telling.drained(), this.#storing.drained(), this.#folder.stop()])
  }

  async health(): Promise<Record<string, unknown>> {
    return { metrics_collected: this.#collections }
  }

  async latest(): Promise<SystemMetrics> {
    const [latest] = this.#history
    if (!latest) throw unavailable('no metrics collected yet: retry in a few seconds, or POST /collect')
    return latest
  }

  /** Runs without the caller's identity, which notifications must not carry. */
  collect(stopping?: AbortSignal): Promise<Collected> {
    return this.#turns.run(() => outside(() => this.#collect(stopping)))
  }

  async #collect(stopping: AbortSignal | undefined): Promise<Collected> {
    const { clock, log, settings } = this.#world
    const figures = await this.#collector.collect(stopping)
    this.#agents = await this.#agentLoads.look(clock.now()).catch(() => [])
    const metrics = { collected_at: timestamp(clock), ...figures }
    this.#history = [metrics, ...this.#history.slice(0, settings.historySize - 1)]
    this.#collections++
    const space = await this.#spaceIn(this.#folder.path)
    this.#samples.add(metrics, space)
    if (this.#storing.idle) this.#store()
    const { raised, cleared } = this.#alerts.look(metrics)
    for (const { metric, message } of raised) log.warn({ metric }, message)
    for (const metric of cleared) log.info({ metric }, 'alert cleared')
    const alerts = this.#alerts.active
    // A hanging notification service must not delay the collection.
    if (this.#telling.idle) void this.#telling.run(() => this.#notices.settle(alerts))
    return { metrics, alerts }
  }

  /** A database that hangs or fails must not delay the collection. */
  #store(): void {
    void this.#storing
      .run(() => this.#samples.store())
      .catch((error: unknown) => {
        this.#world.log.warn({ error: (error as Error).message }, 'failed to store metrics')
      })
  }

  async history(query: HistoryQuery = {}): Promise<SystemMetrics[]> {
    if (Object.values(query).every((each) => each === undefined)) return this.#history
    return pastMetrics(this.#samples, query, this.#world.clock.now())
  }

  async disk(): Promise<DiskUse> {
    const now = this.#world.clock.now()
    const minute = Math.floor(now / MINUTE_MS)
    const { path } = this.#folder
    const [samples, space, folder] = await Promise.all([
      this.#samples.between(minute - FORECAST_MINUTES, minute),
      this.#spaceIn(path),
      this.#folder.look(),
    ])
    return { path, space, forecast: forecastOf(samples, now), folder, measuring: this.#folder.measuring }
  }

  async status(): Promise<MonitorStatus> {
    const { status, active: alerts } = this.#alerts
    return { status, alerts, last_collected_at: this.#history[0]?.collected_at ?? null }
  }

  async agents(): Promise<AgentLoad[]> {
    return this.#agents
  }
}
