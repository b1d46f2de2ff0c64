// Answers 405 with Allow for a known address with another method, and 404 otherwise.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nearest } from '../../schemas/validation/nearest.ts'
import { Problem } from '../core/problem.ts'
import { sendProblem } from './problems.ts'

interface Template {
  pattern: RegExp
  segments: string[]
  methods: Set<string>
}

/** Runs before body parsing, so that a bad body does not hide the 404. */
export function installUnknownRoutes(app: FastifyInstance): void {
  const templates = new Map<string, Template>()
  app.addHook('onRoute', (route) => {
    const { url } = route
    const template = templates.get(url) ?? { pattern: patternOf(url), segments: url.split('/'), methods: new Set() }
    for (const method of [route.method].flat()) template.methods.add(method)
    templates.set(url, template)
  })
  const refuse = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { path, shown, before } = addressesOf(request)
    const methods = [...templates.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((template) => [...template.methods])
    // A route of many addresses may have found none for this one.
    if (methods.length === 0 || methods.includes(request.method)) {
      const meant = nearestPath(path, [...templates.values()])
      const next =
        meant === null ? `GET ${before}/openapi.json lists all addresses` : `did you mean "${before}${meant}"?`
      return sendProblem(
        new Problem(404, `${shown.slice(0, 200)} is not an address of this service: ${next}`),
        request,
        reply,
      )
    }
    const allowed = [...new Set(methods)].sort().join(', ')
    const problem = new Problem(405, `${request.method} is not allowed on ${shown}: use ${allowed}`)
    return sendProblem(problem, request, reply.header('allow', allowed))
  }
  app.decorate('refuseUnknownRoute', refuse)
  app.setNotFoundHandler(refuse)
}

/** `before`: what the address that the client sent has before the path, of a request that was handed on: `/api/notify`. */
export function addressesOf(request: FastifyRequest): { path: string; shown: string; before: string } {
  const [path, shown] = [request.url, request.originalUrl].map((url) => url.split('?')[0]!) as [string, string]
  return { path, shown, before: shown.endsWith(path) ? shown.slice(0, -path.length) : '' }
}

/** Returns the known address closest to `path`, with the path's own ids, or null. */
function nearestPath(path: string, templates: readonly Template[]): string | null {
  const given = path.split('/')
  let best: { path: string; slips: number } | null = null
  for (const { segments } of templates) {
    if (segments.length !== given.length || segments.includes('*')) continue
    const wrong = segments.filter((segment, index) => !segment.startsWith(':') && segment !== given[index])
    const isNear = segments.every(
      (segment, index) => segment.startsWith(':') || nearest(given[index]!, [segment]) || segment === given[index],
    )
    if (!isNear || wrong.length === 0 || (best && best.slips <= wrong.length)) continue
    const meant = segments.map((segment, index) => (segment.startsWith(':') ? given[index] : segment)).join('/')
    best = { path: meant, slips: wrong.length }
  }
  return best?.path ?? null
}

function patternOf(url: string): RegExp {
  const escaped = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${escaped.join('/')}$`)
}
