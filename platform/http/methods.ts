// An address that exists with other methods is 405 with Allow; any other unknown address is 404.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { sendProblem } from './problems.ts'

/** Call before the first route is added. */
export function installUnknownRoutes(app: FastifyInstance): void {
  const templates = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', (route) => {
    const template = templates.get(route.url) ?? { pattern: patternOf(route.url), methods: new Set() }
    for (const method of [route.method].flat()) template.methods.add(method)
    templates.set(route.url, template)
  })
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0]!
    const methods = [...templates.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((template) => [...template.methods])
    if (methods.length === 0)
      return sendProblem(
        new Problem(404, `${path} is no address of this service: GET /openapi.json lists them`),
        request,
        reply,
      )
    const allowed = [...new Set(methods)].sort().join(', ')
    return sendProblem(
      new Problem(405, `${request.method} is not possible on ${path}: use ${allowed}`),
      request,
      reply.header('allow', allowed),
    )
  })
}

function patternOf(url: string): RegExp {
  const escaped = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${escaped.join('/')}$`)
}
