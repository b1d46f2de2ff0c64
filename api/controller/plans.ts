// Routes that plan and apply manifests, as they are sent or as a source has them.
import type { FastifyInstance } from 'fastify'
import type { Controller } from '../../controller/face.ts'
import { implement } from '../../platform/http/implement.ts'
import * as operations from '../../schemas/operations/controller.ts'

export function planRoutes(app: FastifyInstance, controller: Controller): void {
  implement(app, operations.plan, ({ body, actor }) => controller.plan(body, actor))
  implement(app, operations.apply, async ({ body, actor }, write) => {
    const run = await controller.apply(body, actor, write)
    return { type: 'run', run }
  })
}
