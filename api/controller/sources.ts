// Routes of sources, plans and runs.
import type { FastifyInstance } from 'fastify'
import type { Controller } from '../../controller/face.ts'
import { implement } from '../../platform/http/implement.ts'
import * as operations from '../../schemas/operations/controller.ts'
import { planRollback, rollback } from '../../schemas/operations/gitops/rollback.ts'

export function sourceRoutes(app: FastifyInstance, controller: Controller): void {
  implement(app, operations.listSources, async () => controller.sources())
  implement(app, operations.getSource, async ({ params }) => controller.source(params.name))
  implement(app, operations.syncSource, ({ params, body, actor }) => controller.sync(params.name, actor, body))
  implement(app, operations.announcePush, async ({ params, body, raw: { headers } }) =>
    controller.receiveWebhook(params.name, { headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) }),
  )
  implement(app, operations.suspendSource, ({ params, actor }) => controller.suspend(params.name, actor))
  implement(app, operations.resumeSource, ({ params, actor }) => controller.resume(params.name, actor))
  implement(app, operations.adoptSource, ({ params, body }) => controller.adopt(params.name, body.into))
  implement(app, operations.releaseSource, ({ params }) => controller.release(params.name))
  implement(app, planRollback, ({ body }) => controller.planRollback(body))
  implement(app, rollback, ({ body, actor }) => controller.rollback(body, actor))
  implement(app, operations.listRuns, ({ page, cursor }) => controller.runs(cursor ?? page ?? undefined))
  implement(app, operations.getRun, ({ params }) => controller.run(params.id))
  implement(app, operations.plan, ({ body, actor }) => controller.plan(body, actor))
  implement(app, operations.apply, async ({ body, actor }, write) => {
    const run = await controller.apply(body, actor, write)
    return { type: 'run', run }
  })
}
