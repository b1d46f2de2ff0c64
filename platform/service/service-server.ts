import { write } from '../database/database.ts'
import type { FrontOptions } from '../http/gateway/front.ts'
import { createHttpServer, type HttpServer } from '../http/server.ts'
import type { Audit } from '../store/audit.ts'
import { auditRoute } from './audit-route.ts'
import type { HostOptions, Opened, Served } from './define.ts'
import type { World } from './world.ts'

/** Parts of a face that all servers of the process use. */
export type SharedPart = 'callers' | 'maskerOf' | 'sessions'

interface ServerParts {
  served: Served
  face: Opened
  world: World<any>
  audit: Audit
  about: Pick<HostOptions, 'version' | 'log'>
  /** All ports of the process. */
  ports(): Iterable<number>
  /** The face that has the part. */
  faceWith(part: SharedPart): Opened | null
  /** Extra fields of /health. */
  processHealth(): Promise<Record<string, unknown>>
  processMetrics: boolean
  front: FrontOptions | null
}

export async function createServiceServer(given: ServerParts): Promise<HttpServer> {
  const { served, face, world, audit, about, ...parts } = given
  const server = await createHttpServer({
    service: `svc-${served.name}`,
    version: about.version,
    log: about.log,
    config: world.config,
    ports: parts.ports,
    serviceToken: world.serviceToken,
    callers: () => parts.faceWith('callers')?.callers ?? null,
    sessions: () => parts.faceWith('sessions')?.sessions ?? null,
    maskerOf: async (agentId) => parts.faceWith('maskerOf')?.maskerOf!(agentId) ?? null,
    health: async () => {
      await world.db.raw('select 1')
      return { ...(await parts.processHealth()), ...(await face.health?.()), ...world.refusedCalls.health() }
    },
    metrics: face.metrics ?? [],
    disk: world.disk,
    ...(face.named ? { named: face.named } : {}),
    metricsPath: served.definition.metricsPath,
    audit: (by, operation, target) =>
      write(world.db, (transaction) =>
        audit.record(transaction, 'operation', `${operation} ${target}`.slice(0, 256), [''], by),
      ),
    processMetrics: parts.processMetrics,
    front: parts.front,
  })
  const { db, vault } = world
  auditRoute(server, { db, vault }, served.definition.migrations.prefix)
  return server
}
