// Routes of queues.
import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import * as operations from '../../schemas/operations/orchestrator/queues.ts'
import type { Queues } from '../../services/orchestrator/face.ts'

export function queueRoutes(app: FastifyInstance, queues: Queues): void {
  implement(app, operations.listQueues, () => queues.list())
  implement(app, operations.pushTask, ({ params, body, actor }) => queues.push(params.name, body, actor))
  implement(app, operations.queueStats, ({ params }) => queues.stats(params.name))
  implement(app, operations.peekQueue, ({ params, page }) => queues.peek(params.name, page))
  implement(app, operations.purgeQueue, async ({ params, actor }) => ({
    deleted: await queues.purge(params.name, actor),
  }))
  implement(app, operations.redriveQueue, async ({ params, actor }) => ({
    redriven: await queues.redrive(params.name, actor),
  }))
}
