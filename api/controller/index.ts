// The controller over HTTP: all its routes.
import type { FastifyInstance } from 'fastify'
import type { Controller } from '../../controller/face.ts'
import { planRoutes } from './plans.ts'
import { resourceRoutes } from './resources.ts'
import { schemaRoutes } from './schemas.ts'
import { shutDownRoute } from './shutdown.ts'
import { sourceRoutes } from './sources.ts'

/** `stop` ends the daemon; it is called when the answer to `POST /shutdown` is on its way. */
export function controllerRoutes(
  app: FastifyInstance,
  controller: Controller,
  stop: (options: { agents: boolean }) => void,
): void {
  sourceRoutes(app, controller)
  planRoutes(app, controller)
  resourceRoutes(app, controller)
  schemaRoutes(app)
  shutDownRoute(app, stop)
}
