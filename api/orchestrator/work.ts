// Routes of the work in hand.
import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import * as operations from '../../schemas/operations/orchestrator/work.ts'
import type { Work } from '../../services/orchestrator/face.ts'

export function workRoutes(app: FastifyInstance, work: Work): void {
  implement(app, operations.listInFlight, ({ page }) => work.inFlight(page))
  implement(app, operations.drain, ({ body }) => work.drain(body.for_secs))
}
