import type { FastifyInstance } from 'fastify'
import type { Controller } from '../../controller/face.ts'
import { resourceRoutes } from './resources.ts'
import { schemaRoutes } from './schemas.ts'
import { shutDownRoute, type Stoppable } from './shutdown.ts'
import { sourceRoutes } from './sources.ts'

/** `host` stops once the response to `POST /shutdown` is sent. */
export function controllerRoutes(app: FastifyInstance, controller: Controller, host: Stoppable): void {
  sourceRoutes(app, controller)
  resourceRoutes(app, controller)
  schemaRoutes(app)
  shutDownRoute(app, host)
}
