// Routes of workflows, webhooks, queues and work in progress.
import type { FastifyInstance } from 'fastify'
import { isAgent } from '../../platform/core/actor.ts'
import { answer, implement } from '../../platform/http/implement.ts'
import { unloggedProblem } from '../../platform/http/problems.ts'
import { redact } from '../../platform/http/redaction.ts'
import type { ParamsOf } from '../../schemas/operations/operation.ts'
import * as queueOperations from '../../schemas/operations/orchestrator/queues.ts'
import { receiveWebhook } from '../../schemas/operations/orchestrator/webhooks.ts'
import * as workOperations from '../../schemas/operations/orchestrator/work.ts'
import * as operations from '../../schemas/operations/orchestrator/workflows.ts'
import type { UnmatchedDelivery } from '../../schemas/workflow.ts'
import { validateTemplate } from '../../schemas/workflow/template.ts'
import type { Orchestrator } from '../../services/orchestrator/face.ts'

export function workflowRoutes(app: FastifyInstance, { workflows }: Orchestrator): void {
  implement(app, operations.listWorkflows, ({ cursor }) => (cursor ? workflows.slice(cursor) : workflows.list()))
  implement(app, operations.createWorkflow, ({ body, actor }) => workflows.create(body, actor))
  implement(app, operations.getWorkflow, ({ params }) => workflows.get(params.id))
  implement(app, operations.updateWorkflow, ({ params, body, actor }) => workflows.patch(params.id, body, actor))
  implement(app, operations.putWorkflow, ({ params, body, actor }) => workflows.patch(params.id, body, actor))
  implement(app, operations.deleteWorkflow, ({ params, actor }) => workflows.delete(params.id, actor))
  implement(app, operations.listDispatches, ({ params, part }) => workflows.history(params.id, part))
  implement(app, operations.getDispatch, ({ params }) => workflows.dispatch(params.id, params.dispatch_id))
  implement(app, operations.listFirings, ({ params, query, part }) =>
    workflows.firings(params.id, { outcome: query.outcome }, part),
  )
  implement(app, operations.getSchedule, ({ params }) => workflows.schedule(params.id))
  implement(app, operations.triggerWorkflow, ({ params, body = {}, actor }) =>
    workflows.trigger(params.id, body, actor),
  )
  implement(app, operations.previewPrompt, ({ params, body }) => workflows.preview(params.id, body))
  implement(app, operations.validateTemplate, async ({ body }) => validateTemplate(body.template, body.trigger_type))
}

export function webhookRoutes(app: FastifyInstance, { webhooks }: Orchestrator): void {
  // A body that is too large is refused before the handler.
  app.addHook('onError', async (request, _reply, error) => {
    if (request.routeOptions.url !== receiveWebhook.path) return
    const { params, headers, body } = request
    await webhooks.refused(
      (params as ParamsOf<typeof receiveWebhook>).workflow_id,
      { headers, body: Buffer.isBuffer(body) ? body : undefined, redact: (text) => redact(request, text) },
      unloggedProblem(error, request.id),
    )
  })
  implement(app, receiveWebhook, async ({ params, body, actor, redact, raw: { headers } }) => {
    const reason = await webhooks.receive(params.workflow_id, {
      headers,
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      byAgent: isAgent(actor),
      redact,
    })
    return answer<UnmatchedDelivery>(202, reason === null ? undefined : { matched: false, reason })
  })
}

export function queueRoutes(app: FastifyInstance, { queues, work }: Orchestrator): void {
  implement(app, queueOperations.listQueues, () => queues.list())
  implement(app, queueOperations.pushTask, ({ params, body, actor }) => queues.push(params.name, body, actor))
  implement(app, queueOperations.queueStats, ({ params }) => queues.stats(params.name))
  implement(app, queueOperations.peekQueue, ({ params, page }) => queues.peek(params.name, page))
  implement(app, queueOperations.listQueueTasks, ({ params, query, part }) =>
    queues.tasks(params.name, { status: query.status }, part),
  )
  implement(app, queueOperations.purgeQueue, async ({ params, actor }) => ({
    deleted: await queues.purge(params.name, actor),
  }))
  implement(app, queueOperations.redriveQueue, async ({ params, actor }) => ({
    redriven: await queues.redrive(params.name, actor),
  }))
  implement(app, queueOperations.redriveTask, ({ params, actor }) => queues.redriveTask(params.name, params.id, actor))
  implement(app, workOperations.listInFlight, ({ page }) => work.inFlight(page))
  implement(app, workOperations.drain, ({ body }) => work.drain(body.for_secs))
}
