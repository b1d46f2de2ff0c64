// Routes that plan and apply manifests, as they are sent or as a source has them.
import type { FastifyInstance } from 'fastify'
import type { Controller } from '../../controller/face.ts'
import { MANIFESTS_BODY_LIMIT } from '../../platform/http/limits.ts'
import { shapesOf } from '../../platform/http/schemas.ts'
import { Plan, PlanInput } from '../../schemas/plan.ts'

export function planRoutes(app: FastifyInstance, controller: Controller): void {
  const shape = shapesOf(app)
  const input = shape(PlanInput)

  app.post<{ Body: PlanInput }>(
    '/plan',
    { bodyLimit: MANIFESTS_BODY_LIMIT, schema: { summary: 'What would change; changes nothing', body: input, response: { 200: shape(Plan) } } },
    async ({ body, actor }) => controller.plan(body, actor),
  )

  app.post<{ Body: PlanInput }>(
    '/apply',
    {
      bodyLimit: MANIFESTS_BODY_LIMIT,
      schema: {
        summary: 'Apply manifests or a saved plan: lines of JSON as it goes, the last {"type": "run"} or {"type": "error"}',
        body: input,
        produces: ['application/x-ndjson'],
        response: { 200: { description: 'Events, one a line', type: 'string' } },
      },
    },
    async (request, reply) => {
      const lines = app.streams.lines(reply)
      try {
        const run = await controller.apply(request.body, request.actor, lines.write)
        lines.write({ type: 'run', run })
      } catch (error) {
        if (!lines.begun) throw error
        lines.write({ type: 'error', problem: app.problemOf(error, request) })
      }
      lines.end()
      return reply
    },
  )
}
