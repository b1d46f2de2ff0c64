import type { FastifyInstance } from 'fastify'
import type { OperationGroup } from '../../schemas/operations/operation.ts'
import type { Gateway } from '../../services/gateway/face.ts'
import { elsewhereRoutes } from './elsewhere.ts'
import { inboxRoutes } from './inbox.ts'
import { liveRoutes } from './live.ts'
import { sessionRoutes } from './session.ts'

/** `elsewhere`: services that run in other processes. Those of this process are reached without a route. */
export function gatewayRoutes(app: FastifyInstance, gateway: Gateway, elsewhere: readonly OperationGroup[]): void {
  sessionRoutes(app, gateway)
  inboxRoutes(app, gateway)
  liveRoutes(app, gateway)
  for (const group of elsewhere) elsewhereRoutes(app, group, gateway)
}
