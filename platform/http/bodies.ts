// What a request body may be: JSON, or nothing where nothing is needed.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from '../problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may be left out although the route has a schema for it. */
    bodyOptional?: boolean
  }
}

/** JSON alone is understood (merge patches too), and an empty body counts as none whatever its type. */
export function installBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(/^application\/([\w.-]+\+)?json$/, { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    void parse(request, body as string, (error, value) => (error ? done(invalid(`the body is not valid JSON: ${jsonFault(error)}`)) : done(null, value)))
  })
  app.addHook('preValidation', async (request) => checkPresence(request))
}

/** The parser's own words without the text around the fault, which may hold a secret. */
function jsonFault(error: Error): string {
  const { message } = (error.cause as Error | undefined) ?? error
  const place = /at position \d+/.exec(message)?.[0]
  if (message.includes('forbidden prototype property')) return 'it has the member "__proto__" or "constructor"'
  return place ? `look ${place}` : 'it ends too early, or holds something that is no JSON'
}

function checkPresence(request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { schema, config } = request.routeOptions
  if (schema?.body === undefined) {
    const members = typeof request.body === 'object' && request.body !== null ? Object.keys(request.body) : []
    if (members.length > 0)
      throw invalid(
        `this request takes no body, instead got "${members[0]}"`,
        members.map((path) => ({ path, message: 'is not a member: this request takes no body' })),
      )
  } else if (request.body === undefined || request.body === null) {
    if (!config.bodyOptional) throw invalid('this request needs a JSON body')
    request.body = {}
  }
}
