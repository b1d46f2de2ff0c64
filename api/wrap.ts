import type { FastifyInstance } from 'fastify'
import { implement } from '../platform/http/implement.ts'
import * as operations from '../schemas/operations/wrap.ts'
import type { Wrap } from '../services/wrap/face.ts'

export function wrapRoutes(app: FastifyInstance, wrap: Wrap): void {
  implement(app, operations.launch, ({ body }) => wrap.launch(body))
  implement(app, operations.listSessions, () => wrap.list())
  implement(app, operations.getSession, ({ params }) => wrap.get(params.name))
  implement(app, operations.deleteSession, ({ params }) => wrap.end(params.name))
}
