// Routes that plan and apply manifests, as they are sent or as a source has them.
import { isAbsolute } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Controller } from '../../controller/face.ts'
import { MANIFESTS_BODY_LIMIT } from '../../platform/http/limits.ts'
import { shapesOf } from '../../platform/http/schemas.ts'
import { invalid } from '../../platform/problem.ts'
import { Plan, PlanInput } from '../../schemas/plan.ts'
import { checkTargets } from './targets.ts'

/** What a manifest may not hold is told as a fault of the manifest, with its place. */
const manifestBody = { bodyLimit: MANIFESTS_BODY_LIMIT, config: { anyText: true } }

export function planRoutes(app: FastifyInstance, controller: Controller): void {
  const shape = shapesOf(app)
  const input = shape(PlanInput)

  app.post<{ Body: PlanInput }>(
    '/plan',
    {
      ...manifestBody,
      schema: { summary: 'What would change; changes nothing', body: input, response: { 200: shape(Plan) } },
    },
    async ({ body, actor }) => {
      checkPlaces(body)
      checkTargets(body.targets)
      return controller.plan(body, actor)
    },
  )

  app.post<{ Body: PlanInput }>(
    '/apply',
    {
      ...manifestBody,
      schema: {
        summary:
          'Apply manifests or a saved plan: lines of JSON as it goes, the last {"type": "run"} or {"type": "error"}',
        body: input,
        produces: ['application/x-ndjson'],
        response: { 200: { description: 'Events, one a line', type: 'string' } },
      },
    },
    async (request, reply) => {
      checkPlaces(request.body)
      checkTargets(request.body.targets)
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

/** Throws 400 for a folder the daemon cannot know, and for a manifest that would stand outside of it. */
function checkPlaces({ root, manifests }: PlanInput): void {
  const errors = (manifests ?? []).flatMap(({ path }, index) =>
    isAbsolute(path) || path.split(/[\\/]/).includes('..')
      ? [{ path: `manifests.${index}.path`, message: `should be relative to root and below it, instead got "${path}"` }]
      : [],
  )
  if (root !== undefined && !isAbsolute(root))
    errors.push({
      path: 'root',
      message: `should be an absolute path, instead got "${root}": the daemon does not know your folder`,
    })
  if (errors.length > 0) throw invalid(errors.map((error) => `${error.path} ${error.message}`).join('; '), errors)
}
