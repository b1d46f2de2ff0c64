// Routes of sources and runs: where desired state comes from, and what was made of it.
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { listOf, listSchema, pageOf, PageQuery } from '../../platform/http/lists.ts'
import { shapesOf } from '../../platform/http/schemas.ts'
import type { Controller } from '../../controller/face.ts'
import { PlanInput } from '../../schemas/plan.ts'
import { Run } from '../../schemas/run.ts'
import { Source } from '../../schemas/source.ts'
import { checkTargets } from './targets.ts'

const Name = Type.Object({ name: Type.String({ minLength: 1 }) })
interface Name {
  name: string
}

/** Body of `POST /sources/{name}/sync`; may be left out. */
const SyncInput = Type.Object(
  { targets: PlanInput.properties.targets, prune_override: PlanInput.properties.prune_override },
  { additionalProperties: false },
)

export function sourceRoutes(app: FastifyInstance, controller: Controller): void {
  const shape = shapesOf(app)
  const source = shape(Source)

  app.get<{ Querystring: PageQuery }>(
    '/sources',
    {
      schema: {
        summary: 'Where desired state comes from',
        querystring: PageQuery,
        response: { 200: listSchema(source) },
      },
    },
    async ({ query }) => listOf(controller.sources(), query),
  )
  app.get<{ Params: Name }>(
    '/sources/:name',
    { schema: { summary: 'One source', params: Name, response: { 200: source } } },
    async ({ params }) => controller.source(params.name),
  )

  app.post<{ Params: Name; Body: { targets?: string[]; prune_override?: string } }>(
    '/sources/:name/sync',
    {
      config: { bodyOptional: true },
      schema: {
        summary: 'Reconcile now',
        params: Name,
        body: SyncInput,
        response: { 202: Type.Object({ run_id: Type.String() }) },
      },
    },
    async ({ params, body, actor }, reply) => {
      checkTargets(body.targets)
      return reply.code(202).send(await controller.sync(params.name, actor, body))
    },
  )

  for (const verb of ['suspend', 'resume'] as const) {
    const summary =
      verb === 'suspend' ? 'Leave the source alone until it is resumed' : 'Follow a suspended source again'
    app.post<{ Params: Name }>(
      `/sources/:name/${verb}`,
      { schema: { summary, params: Name, response: { 200: source } } },
      async ({ params, actor }) => controller[verb](params.name, actor),
    )
  }
}

export function runRoutes(app: FastifyInstance, controller: Controller): void {
  const shape = shapesOf(app)
  const run = shape(Run)

  app.get<{ Querystring: PageQuery }>(
    '/runs',
    {
      schema: { summary: 'History of runs, newest first', querystring: PageQuery, response: { 200: listSchema(run) } },
    },
    async ({ query }) => {
      const page = pageOf(query)
      const { items, total } = await controller.runs(page ?? {})
      return page === null ? items : { items, total, ...page }
    },
  )
  app.get<{ Params: { id: string } }>(
    '/runs/:id',
    {
      schema: {
        summary: 'One run',
        params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
        response: { 200: run },
      },
    },
    async ({ params }) => controller.run(params.id),
  )
}
