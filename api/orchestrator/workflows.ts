// Routes of workflows and of the templates they are written in.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listOf, listSchema, PageQuery } from '../../platform/http/lists.ts'
import { shapesOf } from '../../platform/http/schemas.ts'
import { invalid } from '../../platform/problem.ts'
import { TemplateValidateInput, TemplateValidation, validateTemplate } from '../../schemas/template.ts'
import { DispatchRecord, TriggerInput, WorkflowInput, WorkflowPatch, WorkflowRecord } from '../../schemas/workflow.ts'
import type { Workflows } from '../../services/orchestrator/face.ts'
import { checkPolicy, Id } from './parameters.ts'

export function workflowRoutes(app: FastifyInstance, workflows: Workflows): void {
  const shape = shapesOf(app)
  const workflow = shape(WorkflowRecord)
  const patch = async ({
    params,
    body,
    actor,
  }: FastifyRequest<{ Params: Id; Body: WorkflowPatch }>): Promise<WorkflowRecord> => {
    checkPolicy(body.tool_policy, ['tool_policy'])
    return workflows.patch(params.id, body, actor)
  }
  const patching = { params: Id, body: shape(WorkflowPatch), response: { 200: workflow } }

  app.get<{ Querystring: PageQuery }>(
    '/workflows',
    {
      schema: {
        summary: 'All workflows, newest first',
        querystring: PageQuery,
        response: { 200: listSchema(workflow) },
      },
    },
    async ({ query }) => listOf(await workflows.list(), query),
  )

  app.post<{ Body: WorkflowInput }>(
    '/workflows',
    { schema: { summary: 'Create a workflow', body: shape(WorkflowInput), response: { 201: workflow } } },
    async ({ body, actor }, reply) => {
      checkTrigger(body)
      checkPolicy(body.tool_policy, ['tool_policy'])
      return reply.code(201).send(await workflows.create(body, actor))
    },
  )

  app.get<{ Params: Id }>(
    '/workflows/:id',
    { schema: { summary: 'One workflow', params: Id, response: { 200: workflow } } },
    async ({ params }) => workflows.get(params.id),
  )
  app.patch<{ Params: Id; Body: WorkflowPatch }>(
    '/workflows/:id',
    { schema: { summary: 'Change a workflow; what is left out stays', ...patching } },
    patch,
  )
  app.put<{ Params: Id; Body: WorkflowPatch }>(
    '/workflows/:id',
    { schema: { summary: 'The same as PATCH', ...patching } },
    patch,
  )

  app.delete<{ Params: Id }>(
    '/workflows/:id',
    {
      schema: { summary: 'Delete a workflow', params: Id, response: { 204: { type: 'null', description: 'Deleted' } } },
    },
    async ({ params, actor }, reply) => {
      await workflows.delete(params.id, actor)
      return reply.code(204).send()
    },
  )
}

/** What a workflow has done, and doing it once more. */
export function dispatchRoutes(app: FastifyInstance, workflows: Workflows): void {
  const shape = shapesOf(app)

  app.get<{ Params: Id; Querystring: PageQuery }>(
    '/workflows/:id/history',
    {
      schema: {
        summary: 'Its dispatches, newest first',
        params: Id,
        querystring: PageQuery,
        response: { 200: listSchema(shape(DispatchRecord)) },
      },
    },
    async ({ params, query }) => listOf(await workflows.history(params.id), query),
  )

  app.post<{ Params: Id; Body: TriggerInput }>(
    '/workflows/:id/trigger',
    {
      config: { bodyOptional: true },
      schema: {
        summary: 'Run it now with a task of your own',
        params: Id,
        body: shape(TriggerInput),
        response: { 200: shape(DispatchRecord) },
      },
    },
    async ({ params, body, actor }) => workflows.trigger(params.id, body, actor),
  )
}

export function templateRoutes(app: FastifyInstance): void {
  const shape = shapesOf(app)
  app.post<{ Body: { template: string; trigger_type?: string } }>(
    '/templates/validate',
    {
      schema: {
        summary: 'Check a prompt template',
        body: shape(TemplateValidateInput),
        response: { 200: shape(TemplateValidation) },
      },
    },
    async ({ body }) => validateTemplate(body.template, body.trigger_type),
  )
}

/** One trigger under one of its two names: a schema cannot say it in words a person understands. */
function checkTrigger(body: WorkflowInput): void {
  if (body.trigger_config === undefined && body.source_config === undefined) {
    throw invalid('trigger_config is missing', [
      { path: 'trigger_config', message: 'is missing: say what yields the tasks, such as {"type": "manual"}' },
    ])
  }
  if (body.trigger_config !== undefined && body.source_config !== undefined) {
    throw invalid('trigger_config and source_config are two names of one member: keep one', [
      { path: 'source_config', message: 'is another name of trigger_config: keep one' },
    ])
  }
}
