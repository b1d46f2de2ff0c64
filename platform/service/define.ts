import type { OperationGroup } from '../../schemas/operations/operation.ts'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { Log } from '../core/log/log.ts'
import type { Knex, Migrations } from '../database/database.ts'
import type { NamedIn } from '../http/name-hints.ts'
import type { MaskerOf } from '../http/redaction.ts'
import type { HttpServer } from '../http/server.ts'
import type { SessionStore } from '../http/gateway/sessions.ts'
import type { Metric } from '../metrics/metrics.ts'
import type { Callers } from '../peer/callers.ts'
import type { ChangeSource } from '../store/change-triggers.ts'
import type { LiveTopic } from '../store/live-topic.ts'
import type { Problem } from '../core/problem.ts'
import type { Settings } from './settings.ts'
import type { Adapters, World } from './world.ts'

export interface Opened {
  /** Starts work. Called when all ports of this process are bound. */
  start?(): Promise<void>
  /** Stops accepting work and waits some seconds for running work. */
  stop?(options: StopOptions): Promise<void>
  /** Extra fields of /health. Throws, or returns `status: 'degraded'`, if unhealthy. */
  health?(): Promise<Record<string, unknown>>
  readonly metrics?: readonly Metric[]
  readonly callers?: Callers
  /** Of the service that signs browsers in. */
  readonly sessions?: SessionStore
  /** Of the service that knows the secrets of agents. */
  readonly maskerOf?: MaskerOf
  /** Live updates, if the gateway runs in the same process. */
  readonly topics?: readonly LiveTopic[]
  /** Tables whose changes change the inbox of the gateway. */
  readonly inboxSources?: readonly ChangeSource[]
  /** Lists named items of a collection (`agents`). */
  readonly named?: NamedIn
}

export interface StopOptions {
  /** Also ends agent sessions. */
  agents: boolean
}

export interface ServiceDefinition<Face extends Opened = Opened, S extends Settings = Settings, Parts = unknown> {
  operations: OperationGroup
  settings: S
  migrations: Migrations
  /** Default `/metrics`. */
  metricsPath?: string
  /** Called after the migrations. Must not start work or listen. */
  open(world: World<S>, parts: Parts): Promise<Face> | Face
}

export function defineService<Face extends Opened, S extends Settings, Parts = void>(
  definition: ServiceDefinition<Face, S, Parts>,
): ServiceDefinition<Face, S, Parts> {
  return definition
}

export interface Host {
  readonly config: Config
  readonly urls: Readonly<Record<string, string>>
  /** Returns the face of a service in this process, or null. */
  find<Face extends Opened>(definition: ServiceDefinition<Face, any, any>): Face | null
  /** True if the service is configured to run in another process. */
  isElsewhere(service: string): boolean
  /** Stops within ten seconds. A second call waits for the first. */
  stop(options?: Partial<StopOptions>): Promise<void>
  readonly stopped: Promise<void>
  /** Why it stopped without a call of stop(), else null. */
  readonly failure: Problem | null
}

export interface Served {
  name: string
  definition: ServiceDefinition<any, any, any>
  /** Services of the same process, opened before this one and stopped after it. */
  needs: readonly string[]
  routes(app: HttpServer, face: any, host: Host): void
  parts(host: Host): unknown
}

export function serve<Face extends Opened, Parts>(
  definition: ServiceDefinition<Face, any, Parts>,
  routes: (app: HttpServer, face: Face, host: Host) => void,
  more: { needs?: readonly string[]; parts?: (host: Host) => Parts } = {},
): Served {
  return {
    name: definition.operations.service,
    definition,
    needs: more.needs ?? [],
    routes,
    parts: more.parts ?? (() => undefined),
  }
}

export interface HostOptions {
  services: readonly Served[]
  config: Config
  version: string
  log: Log
  clock: Clock
  adapters: Adapters
  /** Service that uses PORT if several run. */
  primary: string
  /** Default: opened from the configuration. */
  db?: Knex
  stop?: AbortSignal
}
