import type { FastifyInstance } from 'fastify'
import type { Controller } from '../../controller/face.ts'
import { resourceRoutes } from './resources.ts'
import { schemaRoutes } from './schemas.ts'
import { shutDownRoute, type Stoppable } from './shutdown.ts'
import { sourceRoutes } from './sources.ts'
import { tokenRoute } from './tokens.ts'

/** `host` stops once the response to `POST /shutdown` is sent. */
export function controllerRoutes(
  app: FastifyInstance,
  controller: Controller,
  { host, tokensFile }: { host: Stoppable; tokensFile: string },
): void {
  sourceRoutes(app, controller)
  resourceRoutes(app, controller)
  schemaRoutes(app)
  tokenRoute(app, tokensFile)
  shutDownRoute(app, host)
}
