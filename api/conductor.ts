import type { FastifyInstance } from 'fastify'
import { implement } from '../platform/http/implement.ts'
import * as operations from '../schemas/operations/conductor.ts'
import type { Conductor } from '../services/conductor/face.ts'

export function conductorRoutes(app: FastifyInstance, conductor: Conductor): void {
  implement(app, operations.createRun, ({ body }) => conductor.run(body ?? {}))
  implement(app, operations.listRuns, ({ query, page }) => conductor.list({ repository: query.repository }, page ?? {}))
  implement(app, operations.getRun, ({ params }) => conductor.get(params.id))
  implement(app, operations.addItemLabel, ({ params, body }) => conductor.addLabel(Number(params.number), body))
}
