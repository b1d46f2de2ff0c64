// Routes of workflows and of the templates they are written in.
import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import * as operations from '../../schemas/operations/orchestrator/workflows.ts'
import { validateTemplate } from '../../schemas/workflow/template.ts'
import type { Workflows } from '../../services/orchestrator/face.ts'

export function workflowRoutes(app: FastifyInstance, workflows: Workflows): void {
  implement(app, operations.listWorkflows, () => workflows.list())
  implement(app, operations.createWorkflow, ({ body, actor }) => workflows.create(body, actor))
  implement(app, operations.getWorkflow, ({ params }) => workflows.get(params.id))
  implement(app, operations.updateWorkflow, ({ params, body, actor }) => workflows.patch(params.id, body, actor))
  implement(app, operations.putWorkflow, ({ params, body, actor }) => workflows.patch(params.id, body, actor))
  implement(app, operations.deleteWorkflow, ({ params, actor }) => workflows.delete(params.id, actor))
  implement(app, operations.listDispatches, ({ params, page }) => workflows.history(params.id, page))
  implement(app, operations.getDispatch, ({ params }) => workflows.dispatch(params.id, params.dispatch_id))
  implement(app, operations.triggerWorkflow, ({ params, body = {}, actor }) =>
    workflows.trigger(params.id, body, actor),
  )
  implement(app, operations.validateTemplate, async ({ body }) => validateTemplate(body.template, body.trigger_type))
}
