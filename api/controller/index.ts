// The controller over HTTP: all its routes, its health and its figures.
import type { FastifyInstance } from 'fastify'
import type { Controller } from '../../controller/face.ts'
import { planRoutes } from './plans.ts'
import { resourceRoutes } from './resources.ts'
import { schemaRoutes } from './schemas.ts'
import { runRoutes, sourceRoutes } from './sources.ts'

export { controllerMetrics } from './metrics.ts'

export function controllerRoutes(app: FastifyInstance, controller: Controller): void {
  sourceRoutes(app, controller)
  runRoutes(app, controller)
  planRoutes(app, controller)
  resourceRoutes(app, controller)
  schemaRoutes(app)
}

/** What /health says beside the common members: degraded while a source cannot be taken as it is. */
export async function controllerHealth(controller: Pick<Controller, 'sources'>): Promise<Record<string, unknown>> {
  const sources = controller.sources()
  const faulty = sources.filter((source) => source.error !== null).map((source) => source.name)
  return { status: faulty.length === 0 ? 'ok' : 'degraded', sources: sources.length, sources_in_error: faulty }
}
