// A service as a value: its operations, settings and tables, and how it is opened.
import type { OperationGroup } from '../../schemas/operations/operation.ts'
import type { Config } from '../core/config.ts'
import type { Migrations } from '../database/database.ts'
import type { NamedIn } from '../http/name-hints.ts'
import type { HttpServer } from '../http/server.ts'
import type { Metric } from '../metrics/metrics.ts'
import type { Callers } from '../peer/callers.ts'
import type { Problem } from '../core/problem.ts'
import type { Settings } from './settings.ts'
import type { World } from './world.ts'

/** What the host asks of an opened service, as far as it has it; the rest of a face is the service's own. */
export interface Opened {
  /** Sets it to work. Called when its own port and those of its siblings in this process are bound. */
  start?(): Promise<void>
  /** Stops taking work and lets what has begun come to its end, for some seconds at most. */
  stop?(options: StopOptions): Promise<void>
  /** Members of /health beside the common ones. Throws, or says `status: 'degraded'`, when it is not well. */
  health?(): Promise<Record<string, unknown>>
  readonly metrics?: readonly Metric[]
  /** The programs it runs, where these may ask something of the daemon in their turn. */
  readonly callers?: Callers
  /** What there is in a collection of its addresses (`agents`), where its members have names. */
  readonly named?: NamedIn
}

export interface StopOptions {
  /** End the agents' sessions too: `svc down --agents`. */
  agents: boolean
}

/** `Parts` is what the composition root hands it beside the world: void for most. */
export interface ServiceDefinition<Face extends Opened = Opened, S extends Settings = Settings, Parts = unknown> {
  /** Its name, its port, and what can be asked of it. */
  operations: OperationGroup
  settings: S
  migrations: Migrations
  /** Where its figures are for a scraper, when `/metrics` is an operation of its own. Default `/metrics`. */
  metricsPath?: string
  /** Builds on tables that are up to date; nothing runs, nothing listens. */
  open(world: World<S>, parts: Parts): Promise<Face> | Face
}

export function defineService<Face extends Opened, S extends Settings, Parts = void>(
  definition: ServiceDefinition<Face, S, Parts>,
): ServiceDefinition<Face, S, Parts> {
  return definition
}

/** What runs the services of a list. */
export interface Host {
  readonly config: Config
  /** Base address of each service, as in the runtime file. */
  readonly urls: Readonly<Record<string, string>>
  /** The face of a service that runs in this process; null when it does not. */
  find<Face extends Opened>(definition: ServiceDefinition<Face, any, any>): Face | null
  /** Stops within ten seconds, however many services there are. A second call waits for the first. */
  stop(options?: Partial<StopOptions>): Promise<void>
  /** Resolves when it has stopped, whoever asked for it. */
  readonly stopped: Promise<void>
  /** Why it stopped by itself; null when it was asked to, or runs. */
  readonly failure: Problem | null
}

/** A service with its routes, as the list of services has it. */
export interface Served {
  name: string
  definition: ServiceDefinition<any, any, any>
  /** Services that must run in the same process; it is opened after them and stopped before them. */
  needs: readonly string[]
  routes(app: HttpServer, face: any, host: Host): void
  parts(host: Host): unknown
}

/** `parts` are made when the services it needs are open. */
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
