import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Role } from '../../schemas/access/token.ts'
import type { Actor } from '../core/actor.ts'
import { agentOfToken, type Caller, type Callers } from '../peer/callers.ts'
import type { Peers } from '../peer/peers.ts'
import { forbidden, invalid, Problem } from '../core/problem.ts'
import type { Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor
  }
  interface FastifyContextConfig {
    /**
     * `token` (default): required if tokens are on. `open`: no identification. `own`: the route authenticates itself.
     */
    auth?: 'token' | 'open' | 'own'
    /** The result depends on the caller, so reads identify it too. */
    personal?: boolean
    /** Minimum role for a write; default operator. */
    role?: Exclude<Role, 'viewer'>
    /** Permission that an agent's `may` must contain. */
    guard?: string
  }
}

const RESERVED_ACTOR = /^(controller$|daemon$|agent:)/

export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:/+=@-]{1,128}$/.test(given) ? given : randomUUID()
}

/** `/agents/:id` becomes `/agents/{id}`. */
export const templateOf = (route: string): string => route.replace(/:(\w+)/g, '{$1}')

export function endpointOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  return `${request.method} ${url === undefined ? request.url.split('?')[0]! : templateOf(url)}`
}

export function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

export interface IdentityOptions {
  tokens: Tokens | null
  /** Requires a token for every request. Otherwise local requests of the daemon's own user need none. */
  required: boolean
  peers: Peers
  callers(): Callers | null
}

/**
 * Sets the actor: the token's subject, else an agent, else X-Svc-Actor, else `anonymous`. Throws 400, 401 and 403. Most
 * reads are decided synchronously.
 */
export function createIdentity(options: IdentityOptions): (request: FastifyRequest) => void | Promise<void> {
  return (request) => {
    const { config } = request.routeOptions
    request.actor = { actor: 'anonymous', requestId: request.id, endpoint: endpointOf(request) }
    const isAsked = (config.auth ?? 'token') === 'token'
    const token = isAsked ? bearerToken(request) : null
    const known = token === null || agentOfToken(token) === null ? null : options.callers()
    if (known === null) return identifyOther(request, isAsked, options)
    return known.ofToken(token!).then(async (caller) => {
      if (caller === null) return identifyOther(request, isAsked, options)
      // An agent must not use the token of another.
      actAs(request, (isLookedUp(request) && (await callerAt(request.raw.socket, options.peers, known))) || caller)
    })
  }
}

function identifyOther(request: FastifyRequest, isAsked: boolean, options: IdentityOptions): void | Promise<void> {
  const { tokens, required } = options
  const holder = isAsked && tokens !== null ? holderOf(tokens, request, required) : null
  if (holder !== null) return void Object.assign(request.actor, { actor: holder.subject, role: holder.role })
  request.actor.actor = namedActor(request)
  if (isAsked && changesSomething(request)) return identify(request, options)
}

/** True if the peer process overrides what the request claims. */
function isLookedUp({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.guard !== undefined || config.personal === true
}

/** Throws 403 if the agent lacks the permission. */
function actAs(request: FastifyRequest, caller: Caller): void {
  request.actor.actor = caller.actor
  if (caller.id !== null) request.actor.agent = caller.id
  const { guard } = request.routeOptions.config
  if (guard !== undefined && !caller.may.includes(guard)) throw mayNot(caller, guard, request)
}

/** By method, because read-only operations can be POST. Includes WebSockets, which stay open. */
const changesSomething = (request: FastifyRequest): boolean =>
  !isReading(request) || request.ws || request.routeOptions.config.personal === true

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

async function identify(request: FastifyRequest, { peers, callers }: IdentityOptions): Promise<void> {
  const { socket } = request.raw
  const peer = await peers.of(socket)
  if (peer === 'gone') throw gone()
  if (typeof peer === 'object' && !isOwnUser(peer.uid)) throw strangerProblem(peer.uid, bearerToken(request) !== null)
  const known = callers()
  if (known === null) return
  const caller = (isLookedUp(request) ? await callerAt(socket, peers, known) : null) ?? (await named(request, known))
  if (caller !== null) actAs(request, caller)
}

/** Headers can be forged, processes cannot. */
async function callerAt(socket: object, peers: Peers, known: Callers): Promise<Caller | null> {
  const lineage = await peers.lineageOf(socket)
  if (lineage === 'gone') throw gone()
  return lineage === 'unknown' ? null : known.ofProcess(lineage)
}

async function named(request: FastifyRequest, known: Callers): Promise<Caller | null> {
  const id = request.headers['x-svc-agent']
  return typeof id === 'string' ? known.find(id) : null
}

/** Root can become any user. */
const isOwnUser = (uid: number): boolean => uid === 0 || uid === process.getuid?.()

const gone = (): Problem =>
  new Problem(
    401,
    'the connection was closed before its user was identified: keep it open until the response arrives',
    {
      code: 'token-missing',
    },
  )

const strangerProblem = (uid: number, hasToken: boolean): Problem =>
  new Problem(
    401,
    `without a ${hasToken ? 'known token' : 'token'} this daemon accepts writes only from its own user (uid ${process.getuid?.()}), not from uid ${uid}: have its user ` +
      'create one with "svc token create NAME", then send Authorization: Bearer <token> (commands: SVC_TOKEN)',
    { code: hasToken ? 'token-unknown' : 'token-missing' },
  )

const mayNot = ({ actor }: Caller, guard: string, request: FastifyRequest): Problem =>
  forbidden(
    `${actor} may not ${endpointOf(request)} from an agent's session: do it outside the session, ` +
      `or add may: [${guard}] to the agent's manifest`,
    'agent-may-not',
  )

function namedActor(request: FastifyRequest): string {
  const name = request.headers['x-svc-actor']
  if (name === undefined) return 'anonymous'
  if (typeof name !== 'string' || !/^[\x21-\x7e][\x20-\x7e]{0,127}$/.test(name))
    throw invalid('X-Svc-Actor should be 1 to 128 printable ASCII characters')
  if (RESERVED_ACTOR.test(name)) throw invalid(`X-Svc-Actor "${name}" is reserved: choose another`)
  return name
}

/** Returns the token's holder; null for a missing or unknown token that is not required. */
function holderOf(tokens: Tokens, request: FastifyRequest, required: boolean): ReturnType<Tokens['find']> {
  const token = bearerToken(request)
  if (token === null && !required) return null
  if (token === null)
    throw new Problem(401, 'this daemon requires a token: send Authorization: Bearer <token>', {
      code: 'token-missing',
    })
  const holder = tokens.find(token)
  if (holder === null && !required) return null
  if (holder === null)
    throw new Problem(401, 'the token is unknown: it may have been revoked; request a new one', {
      code: 'token-unknown',
    })
  const { role: wanted = 'operator', readOnly } = request.routeOptions.config
  if (!isReading(request) && !readOnly && holder.role !== 'admin' && holder.role !== wanted) {
    throw forbidden(
      `${holder.subject} is ${holder.role} and may not ${endpointOf(request)}: it requires the role ${wanted}`,
    )
  }
  return holder
}
