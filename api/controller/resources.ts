// Routes of the inventory: what the controller owns, how it is, and where it drifted.
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Controller } from '../../controller/face.ts'
import { listOf, listSchema, pageMembers, type PageQuery } from '../../platform/http/lists.ts'
import { shapesOf } from '../../platform/http/schemas.ts'
import { Drift, Resource, ResourceDetail } from '../../schemas/resource.ts'
import { Run } from '../../schemas/run.ts'

const text = Type.Optional(Type.String({ minLength: 1 }))
const ResourceQuery = Type.Object({ kind: text, source: text, status: text, ...pageMembers })
const DriftQuery = Type.Object({
  kind: text,
  name: text,
  open: Type.Optional(Type.Boolean({ description: 'true: only what still differs' })),
  ...pageMembers,
})
const Which = Type.Object({ kind: Type.String(), name: Type.String() })
interface Which {
  kind: string
  name: string
}

export function resourceRoutes(app: FastifyInstance, controller: Controller): void {
  const shape = shapesOf(app)

  app.get<{ Querystring: PageQuery & { kind?: string; source?: string; status?: string } }>(
    '/resources',
    {
      schema: { summary: 'The inventory', querystring: ResourceQuery, response: { 200: listSchema(shape(Resource)) } },
    },
    async ({ query }) =>
      listOf(await controller.resources({ kind: query.kind, source: query.source, status: query.status }), query),
  )

  app.get<{ Params: Which }>(
    '/resources/:kind/:name',
    {
      schema: {
        summary: 'Desired, last applied and live side by side',
        params: Which,
        response: { 200: shape(ResourceDetail) },
      },
    },
    async ({ params }) => controller.resource(params.kind, params.name),
  )

  app.get<{ Querystring: PageQuery & { kind?: string; name?: string; open?: boolean } }>(
    '/drift',
    {
      schema: { summary: 'Drift, newest first', querystring: DriftQuery, response: { 200: listSchema(shape(Drift)) } },
    },
    async ({ query }) =>
      listOf(await controller.drift({ kind: query.kind, name: query.name, open: query.open }), query),
  )

  app.post<{ Params: Which }>(
    '/drift/:kind/:name/revert',
    { schema: { summary: 'Put live back to what was last applied', params: Which, response: { 200: shape(Run) } } },
    async ({ params, actor }) => controller.revert(params.kind, params.name, actor),
  )

  app.get(
    '/events',
    {
      schema: {
        summary: 'Plans, steps, runs, drift and conditions as server-sent events',
        produces: ['text/event-stream'],
      },
    },
    async (_request, reply) => {
      app.streams.events(reply, (listener) => controller.events(listener))
      return reply
    },
  )
}
