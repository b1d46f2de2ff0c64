// Who asks: the request id, the token, the actor that every write is recorded with.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import { forbidden, invalid, Problem } from '../problem.ts'
import type { Role, Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, for the record of a write. */
    actor: Actor
  }
  interface FastifyContextConfig {
    /** `token` (default) when tokens are on; `open`: nobody is asked who they are; `own`: the route asks by itself. */
    auth?: 'token' | 'open' | 'own'
    /** The least role a write takes when tokens are on. Default operator. */
    role?: Exclude<Role, 'viewer'>
  }
}

/** Names the daemon records its own acts under; nobody else may take them. */
const RESERVED_ACTORS = new Set(['controller', 'daemon'])

/** The caller's X-Request-Id where it is sane, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:/+=@-]{1,128}$/.test(given) ? given : randomUUID()
}

const templates = new Map<string, string>()

/** `/agents/{id}` of the route `/agents/:id`. */
export function templateOf(route: string): string {
  let template = templates.get(route)
  if (template === undefined) templates.set(route, (template = route.replace(/:(\w+)/g, '{$1}')))
  return template
}

/** `PUT /agents/{id}/policy`; the bare path for an address that no route has. */
export function endpointOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  return `${request.method} ${url === undefined ? request.url.split('?')[0]! : templateOf(url)}`
}

/** The token of `Authorization: Bearer`, or null. */
export function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

/** Decides who the actor is: the token's subject when tokens are on, else X-Svc-Actor, else `anonymous`. Throws 401, 403 and 400. */
export function createIdentity(tokens: Tokens | null): (request: FastifyRequest) => void {
  return (request) => {
    const config = request.routeOptions.config
    const name =
      tokens === null || (config.auth ?? 'token') !== 'token' ? namedActor(request) : admitted(tokens, request)
    request.actor = { actor: name, requestId: request.id, endpoint: endpointOf(request) }
  }
}

function namedActor(request: FastifyRequest): string {
  const name = request.headers['x-svc-actor']
  if (name === undefined) return 'anonymous'
  if (typeof name !== 'string' || !/^[\x21-\x7e][\x20-\x7e]{0,127}$/.test(name))
    throw invalid('X-Svc-Actor should be 1 to 128 printable ASCII characters')
  if (RESERVED_ACTORS.has(name)) throw invalid(`X-Svc-Actor "${name}" is the daemon's own name: choose another`)
  return name
}

function admitted(tokens: Tokens, request: FastifyRequest): string {
  const token = bearerToken(request)
  if (token === null)
    throw new Problem(401, 'this daemon asks for a token: send Authorization: Bearer <token>', {
      code: 'token-missing',
    })
  const holder = tokens.find(token)
  if (holder === null)
    throw new Problem(401, 'the token is not known: it may have been revoked; ask for a new one', {
      code: 'token-unknown',
    })
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const wanted = request.routeOptions.config.role ?? 'operator'
  if (!isRead && holder.role !== 'admin' && holder.role !== wanted) {
    throw forbidden(
      `${holder.subject} is ${holder.role} and may not ${endpointOf(request)}: that takes the role ${wanted}`,
    )
  }
  return holder.subject
}
